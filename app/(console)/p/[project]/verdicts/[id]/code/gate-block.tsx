import type { CodeView } from '@/app/_trpc/outputs';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import type { VerdictState } from '@/app/_ui/verdict-styles';
import { VisibleText } from '@/app/_ui/visible-text';
import { durationText } from '../../../traces/amounts';
import { Block, LongText } from '../block';

type Gate = CodeView['gates'][number];

const statusStyles: Record<
  Gate['status'],
  { readonly state: VerdictState; readonly word: string }
> = {
  passed: { state: 'passed', word: 'passed' },
  failed: { state: 'failed', word: 'failed' },
  timeout: { state: 'failed', word: 'stopped at its deadline' },
  neutral: { state: 'skipped', word: 'neutral: the environment gave no result' },
  not_run: { state: 'inconclusive', word: 'not run' },
};

/** The results of compilers and test runners, each with the reason why it counts or not. */
export function GateBlock({ gates, notes }: Pick<CodeView, 'gates' | 'notes'>) {
  if (gates.length === 0 && notes.length === 0) return null;
  return (
    <Block title="Proof">
      <ul aria-label="Proof gates" className="grid gap-3">
        {gates.map((gate, at) => (
          <li key={at} className="grid grid-cols-[16px_minmax(0,1fr)] gap-x-2">
            <span className="pt-[3px]">
              <VerdictIcon state={statusStyles[gate.status].state} />
            </span>
            <GateText gate={gate} />
          </li>
        ))}
      </ul>
      {notes.map((note) => (
        <p key={note} className="text-ink-2 pt-2">
          {note}
        </p>
      ))}
    </Block>
  );
}

function GateText({ gate }: { gate: Gate }) {
  return (
    <div className="grid min-w-0 gap-1">
      <p className="[overflow-wrap:anywhere]">
        <code className="text-12 font-mono">{gate.command}</code>{' '}
        <span>{statusStyles[gate.status].word}</span>
      </p>
      <p className="text-12 text-ink-3 [overflow-wrap:anywhere]">
        {[
          gate.exitCode === null ? null : `exit ${gate.exitCode}`,
          gate.durationMs > 0 ? durationText(gate.durationMs) : null,
          gate.toolchain,
          gate.evidence === null
            ? null
            : { in_process: 'in one process with the code', isolated: 'isolated from the code' }[
                gate.evidence
              ],
        ]
          .filter((part) => part !== null)
          .join(' · ')}
      </p>
      {gate.reason === null ? null : (
        <p className="text-ink-2 [overflow-wrap:anywhere]">
          <VisibleText
            text={[gate.reason, gate.explanation].filter((part) => part !== null).join(': ')}
          />
        </p>
      )}
      {gate.stderr === '' ? null : (
        <details open={gate.status === 'failed'}>
          <summary className="text-12 text-ink-2 cursor-pointer">Output</summary>
          <div
            role="group"
            aria-label={`Output of ${gate.command}`}
            className="bg-sunken rounded-4 mt-1 p-2"
          >
            <LongText text={gate.stderr} mono />
          </div>
        </details>
      )}
    </div>
  );
}
