import type { CodeView } from '@/app/_trpc/outputs';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { VisibleText } from '@/app/_ui/visible-text';
import { Block, LongText } from '../block';

/** The request, and its obligations. */
export function CodeRequestColumn({
  code: { request, deliverables, framework, patterns },
}: {
  code: CodeView;
}) {
  return (
    <div className="grid content-start gap-4">
      <Block title="Request">
        {request === '' ? <p className="text-ink-3">No request.</p> : <LongText text={request} />}
      </Block>
      {deliverables.length === 0 ? null : (
        <Block title="Deliverables">
          <ul aria-label="Deliverables" className="grid gap-1">
            {deliverables.map(({ path, isThere }) => (
              <li key={path} className="flex items-center gap-2">
                <VerdictIcon state={isThere ? 'passed' : 'failed'} />
                <code className="text-12 min-w-0 font-mono [overflow-wrap:anywhere]">
                  <VisibleText text={path} />
                </code>
                <span className="text-12 text-ink-3">{isThere ? 'written' : 'missing'}</span>
              </li>
            ))}
          </ul>
        </Block>
      )}
      {framework.expected === null && framework.found === null ? null : (
        <Block title="Framework">
          <p className="[overflow-wrap:anywhere]">
            {framework.expected === null
              ? 'None was requested'
              : `${framework.expected} was requested`}
            {framework.found === null ? '' : `, ${framework.found} is used`}.
          </p>
          {framework.isViolated ? (
            <p className="flex items-start gap-2 pt-1">
              <span className="pt-[3px]">
                <VerdictIcon state="failed" />
              </span>
              The two exclude each other: it fails, regardless of its points.
            </p>
          ) : null}
        </Block>
      )}
      {patterns.length === 0 ? null : (
        <Block
          title="Patterns"
          aside={<span className="text-12 text-ink-3">{patternCount(patterns)}</span>}
        >
          <ul aria-label="Patterns" className="grid gap-1">
            {patterns.map(({ pattern, kind, matched, how }, at) => (
              <li key={at} className="grid grid-cols-[16px_minmax(0,1fr)] gap-x-2">
                <span className="pt-[3px]">
                  <VerdictIcon
                    state={matched ? 'passed' : kind === 'hard' ? 'failed' : 'skipped'}
                  />
                </span>
                <span className="[overflow-wrap:anywhere]">
                  <code className="text-12 font-mono">
                    <VisibleText text={pattern} />
                  </code>{' '}
                  <span className="text-12 text-ink-3">
                    {kind === 'hard' ? 'required' : 'optional'}
                    {matched ? (how === 'fuzzy' ? ', nearly' : '') : ', missing'}
                  </span>
                </span>
              </li>
            ))}
          </ul>
        </Block>
      )}
    </div>
  );
}

function patternCount(patterns: CodeView['patterns']): string {
  return `${patterns.filter(({ matched }) => matched).length}/${patterns.length} found`;
}
