'use client';

import { useRouter } from 'next/navigation';
import { useKeys } from '@/app/_ui/keyboard';
import { useOrigin } from '@/app/(console)/list-origin';
import { neighbours, recallList, rememberList } from '@/app/(console)/list-memory';

interface Neighbours {
  readonly id: string;
  readonly previousId: string | null;
  readonly nextId: string | null;
}

/** j and k follow the list from which the verdict was opened, or else the order of all verdicts. */
export function useVerdictKeys(project: string, { id, previousId, nextId }: Neighbours): void {
  const router = useRouter();
  const from = useOrigin();
  const open = (step: 'previous' | 'next') => {
    const memory = recallList(project);
    const around = neighbours(memory, id) ?? { previous: previousId, next: nextId };
    const target = around[step];
    if (target === null) return;
    if (memory) rememberList(project, { ...memory, at: target });
    // Replace instead of push, so that Back leads to the list after any number of verdicts.
    router.replace(`/p/${project}/verdicts/${encodeURIComponent(target)}`);
  };
  const moveFigure = (step: 1 | -1) => {
    const marks = [...document.querySelectorAll<HTMLElement>('[data-figure], [data-quote]')];
    const at = marks.findIndex((mark) => mark === document.activeElement);
    const target = at === -1 ? marks[step === 1 ? 0 : marks.length - 1] : marks[at + step];
    target?.focus();
  };
  useKeys({
    j: () => open('next'),
    k: () => open('previous'),
    n: () => moveFigure(1),
    p: () => moveFigure(-1),
    Escape: () =>
      router.push(from?.href ?? `/p/${project}/verdicts${recallList(project)?.search ?? ''}`),
  });
}
