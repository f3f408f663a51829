import type { Contract } from '../../domain';
import { matchPatterns, findFile, type PatternMatch } from '../patterns';
import { type CodeFile, type Structure, structuralMultiplier } from '../structure';
import { completenessOf, type FileCompleteness, isWritten, type SizeScale } from './complete';
import { maxPoints } from './dimensions';
import { type FrameworkFinding, frameworkOf } from './framework';
import { undeclaredNames } from './undeclared';

/** The files of a contract, and the written ones (QEL-13). */
export interface FilesFinding {
  readonly found: readonly { readonly planned: string; readonly path: string }[];
  readonly missing: readonly string[];
  /** Files with content. */
  readonly written: number;
  /** 0..1; if the contract names no file, whether there is any. */
  readonly share: number;
}

function filesOf(deliverables: readonly string[], files: readonly CodeFile[]): FilesFinding {
  const written = files.filter(isWritten);
  const found = deliverables.flatMap((planned) => {
    const file = findFile(written, planned);
    return file === null ? [] : [{ planned, path: file.path }];
  });
  const missing = deliverables.filter((planned) => !found.some((each) => each.planned === planned));
  return {
    found,
    missing,
    written: written.length,
    share:
      deliverables.length === 0 ? Number(written.length > 0) : found.length / deliverables.length,
  };
}

export interface PatternsFinding {
  readonly matches: readonly PatternMatch[];
  /** Found names that no file declares. */
  readonly undeclared: readonly PatternMatch[];
  /**
   * 0..1, hard patterns count twice; 1 if the contract names none (QEL-10, QEL-12). Without the
   * multiplier.
   */
  readonly share: number;
}

const weightOf = ({ pattern }: PatternMatch): number => (pattern.kind === 'hard' ? 2 : 1);

function patternsOf(
  contract: Pick<Contract, 'patterns'>,
  files: readonly CodeFile[],
): PatternsFinding {
  const matches = matchPatterns(contract.patterns, files);
  const all = matches.reduce((sum, each) => sum + weightOf(each), 0);
  const hit = matches.reduce((sum, each) => sum + (each.how === 'missing' ? 0 : weightOf(each)), 0);
  return { matches, undeclared: undeclaredNames(matches, files), share: all === 0 ? 1 : hit / all };
}

/** All measurements of the files without running them. */
export interface Static {
  readonly files: FilesFinding;
  readonly patterns: PatternsFinding;
  readonly structure: Structure;
  readonly framework: FrameworkFinding;
  readonly complete: readonly FileCompleteness[];
}

export interface StaticPoints {
  readonly files: number;
  readonly patterns: number;
  readonly framework: number;
  readonly complete: number;
}

export function measureFiles(
  contract: Contract,
  files: readonly CodeFile[],
  scale: SizeScale,
): Static {
  return {
    files: filesOf(contract.deliverables, files),
    patterns: patternsOf(contract, files),
    structure: structuralMultiplier(files),
    framework: frameworkOf(contract.framework, files),
    complete: completenessOf(contract.deliverables, contract.expectedElements, files, scale),
  };
}

/** Points of the measurements, not rounded. Zero if nothing was written. */
export function staticPoints({
  files,
  patterns,
  structure,
  framework,
  complete,
}: Static): StaticPoints {
  const isEmpty = files.written === 0;
  const filled =
    complete.length === 0
      ? 0
      : complete.reduce((sum, { share }) => sum + share, 0) / complete.length;
  return {
    files: maxPoints.files * files.share,
    patterns: isEmpty ? 0 : maxPoints.patterns * patterns.share * structure.multiplier,
    framework: isEmpty ? 0 : maxPoints.framework * framework.share,
    complete: maxPoints.complete * filled,
  };
}
