import type { CheckpointView } from '@/app/_trpc/outputs';
import { VerdictIcon, VerdictMark } from '@/app/_ui/verdict-mark';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { Block, Facts, LongText } from '../block';
import { ScoreBars } from './score-bars';
import { stepText } from './words';

type AgentOutput = Extract<CheckpointView, { kind: 'agent-output' }>;

/** The subgoal, and the other available agents. */
export function AgentRequest({ output: { subgoal, agentsAvailable } }: { output: AgentOutput }) {
  return (
    <>
      <Block
        title="Subgoal"
        aside={
          subgoal.critical ? (
            <VerdictMark
              state="needs_review"
              word="critical: the request fails with it"
              size={11}
            />
          ) : null
        }
      >
        <p className="[overflow-wrap:anywhere]">
          <code className="text-12 font-mono">
            <VisibleText text={subgoal.id === '' ? '(no id)' : subgoal.id} />
          </code>
        </p>
        {subgoal.description === '' ? (
          <p className="text-ink-3">No description</p>
        ) : (
          <LongText text={subgoal.description} />
        )}
      </Block>
      {agentsAvailable.length === 0 ? null : (
        <Block title="Agents">
          <ul aria-label="Agents" className="grid gap-1">
            {agentsAvailable.map((name, at) => (
              <li key={at} className="text-12 font-mono [overflow-wrap:anywhere]">
                <VisibleText text={name} />
              </li>
            ))}
          </ul>
        </Block>
      )}
    </>
  );
}

/** The agent's output: its summary first, then each other member as JSON, short ones together. */
export function OutputBlock({ output: { agent, summary, members } }: { output: AgentOutput }) {
  const isShort = ([, text]: AgentOutput['members'][number]) => text.length <= 200;
  const longMembers = members.filter(
    (member) => member[0] === '' || member[0] === 'data' || !isShort(member),
  );
  const shortMembers = members.filter((member) => !longMembers.includes(member));
  return (
    <>
      <Block
        title="Summary"
        aside={
          agent === null ? null : (
            <code className="text-12 text-ink-2 font-mono [overflow-wrap:anywhere]">
              <VisibleText text={agent} />
            </code>
          )
        }
      >
        {summary === null || summary === '' ? (
          <p className="text-ink-3">There is no summary.</p>
        ) : (
          <LongText text={summary} />
        )}
      </Block>
      {longMembers.map(([name, text]) => (
        <Block
          key={name}
          title={
            name === '' ? (
              'Output'
            ) : (
              <code className="text-12 font-mono">
                <VisibleText text={name} />
              </code>
            )
          }
        >
          <LongText text={text} mono />
        </Block>
      ))}
      {shortMembers.length === 0 ? null : (
        <Block title="Other members">
          <Facts
            list={shortMembers.map(
              ([name, text]) =>
                [
                  plainText(name),
                  <code key={name} className="text-12 font-mono">
                    <VisibleText text={text.replace(/\s*\n\s*/g, ' ')} />
                  </code>,
                ] as const,
            )}
          />
        </Block>
      )}
    </>
  );
}

/** Form, confidence and the next step. */
export function OutputCard({
  output: { formatErrors, confidence, next, nextAgent },
}: {
  output: AgentOutput;
}) {
  return (
    <Block title="Output" aside={<FormMark valid={formatErrors.length === 0} />}>
      <div className="grid gap-3">
        <ScoreBars
          label="Confidence"
          bars={[{ name: 'confidence', value: confidence, note: 'as stated by the agent' }]}
        />
        {formatErrors.length === 0 ? null : (
          <ul aria-label="Errors of form" className="grid gap-1">
            {formatErrors.map((text, at) => (
              <li key={at} className="grid grid-cols-[16px_minmax(0,1fr)] gap-x-2">
                <span className="pt-[3px]">
                  <VerdictIcon state="failed" />
                </span>
                <span className="[overflow-wrap:anywhere]">
                  <VisibleText text={text} />
                </span>
              </li>
            ))}
          </ul>
        )}
        {next === null ? null : (
          <Facts list={[['Next step', plainText(stepText(next, nextAgent))]]} />
        )}
      </div>
    </Block>
  );
}

function FormMark({ valid }: { valid: boolean }) {
  return (
    <span className="text-12">
      <VerdictMark
        state={valid ? 'passed' : 'failed'}
        word={valid ? 'valid form' : 'invalid form'}
        size={11}
      />
    </span>
  );
}
