import type { PatternMatch } from '../patterns';
import type { CodeFile } from '../structure';

const identifier = /^[A-Za-z_$][\w$]{2,}$/u;

/**
 * Required names that the files contain only as members of something else (`api.users.list`) or as
 * parts of other names: they are used, but nothing declares them. This costs no points, since the
 * text is there (QEL-14), but readers of the verdict should know.
 */
export function undeclaredNames(
  matches: readonly PatternMatch[],
  files: readonly CodeFile[],
): readonly PatternMatch[] {
  return matches.filter(({ pattern, how }) => {
    if (how !== 'exact' || !identifier.test(pattern.pattern)) return false;
    const alone = new RegExp(
      `(?<![.\\w$])${pattern.pattern.replaceAll('$', '\\$')}(?![\\w$])`,
      'u',
    );
    return !files.some(({ code }) => alone.test(code));
  });
}
