import type { CodeView, VerdictDetail } from '@/app/_trpc/outputs';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { VisibleText } from '@/app/_ui/visible-text';
import { Block } from '../block';

interface IssueBlocksProps {
  code: CodeView;
  issues: VerdictDetail['issues'];
}

/** QEL-45: required patterns that are missing first, then optional ones. */
export function IssueBlocks({ code, issues }: IssueBlocksProps) {
  const missing = code.patterns.filter(({ matched }) => !matched);
  const required = missing.filter(({ kind }) => kind === 'hard');
  const optional = missing.filter(({ kind }) => kind === 'soft');
  const listed = issues.filter(({ code: name }) => name !== 'missing_pattern');
  return (
    <>
      {listed.length === 0 && required.length === 0 ? null : (
        <Block title="Issues">
          <ul aria-label="Issues" className="grid gap-2">
            {listed.map((issue, at) => (
              <li key={at} className="grid grid-cols-[16px_minmax(0,1fr)] gap-x-2">
                <span className="pt-[3px]">
                  <VerdictIcon state="failed" />
                </span>
                <span className="[overflow-wrap:anywhere]">
                  <VisibleText text={issue.message} />
                </span>
              </li>
            ))}
            {required.map(({ pattern, path }, at) => (
              <li key={`pattern ${at}`} className="grid grid-cols-[16px_minmax(0,1fr)] gap-x-2">
                <span className="text-review pt-[3px]">
                  <Triangle />
                </span>
                <PatternText pattern={pattern} path={path} what="Required and missing" />
              </li>
            ))}
          </ul>
        </Block>
      )}
      {optional.length === 0 ? null : (
        <Block title="Optional patterns missing">
          <ul className="grid gap-1">
            {optional.map(({ pattern, path }, at) => (
              <li key={at}>
                <PatternText pattern={pattern} path={path} what={null} />
              </li>
            ))}
          </ul>
        </Block>
      )}
    </>
  );
}

function PatternText({
  pattern,
  path,
  what,
}: {
  pattern: string;
  path: string | null;
  what: string | null;
}) {
  return (
    <span className="[overflow-wrap:anywhere]">
      {what === null ? null : `${what}: `}
      <code className="text-12 font-mono">
        <VisibleText text={pattern} />
      </code>
      {path === null ? null : (
        <span className="text-ink-3">
          {' '}
          in <VisibleText text={path} />
        </span>
      )}
    </span>
  );
}

function Triangle() {
  return (
    <svg width="14" height="14" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M8 1.8 15 14.2H1z" fill="currentColor" />
    </svg>
  );
}
