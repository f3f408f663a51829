import type { CodeElement } from './elements';
import type { CodeFile } from './read-code';

export interface Structure {
  /** Share of the real elements, 0..1; 1 if there are none (QEL-22). */
  readonly multiplier: number;
  readonly real: number;
  readonly stubs: readonly { readonly path: string; readonly element: CodeElement }[];
}

/** A class counts by its methods; without methods it counts itself. */
export function structuralMultiplier(files: readonly CodeFile[]): Structure {
  const stubs: { path: string; element: CodeElement }[] = [];
  let real = 0;
  for (const { path, elements } of files) {
    const hasCode = elements.some(({ kind }) => kind !== 'class');
    for (const element of elements) {
      if (element.stub !== null) stubs.push({ path, element });
      else if (element.kind !== 'class' || !hasCode) real++;
    }
  }
  const all = real + stubs.length;
  return { multiplier: all === 0 ? 1 : real / all, real, stubs };
}
