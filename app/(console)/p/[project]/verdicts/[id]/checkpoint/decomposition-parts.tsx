import type { CheckpointView, VerdictDetail } from '@/app/_trpc/outputs';
import { VerdictMark } from '@/app/_ui/verdict-mark';
import { VisibleText } from '@/app/_ui/visible-text';
import { Block, Facts, LongText } from '../block';
import { plainNumber } from '../subject/words';
import { ScoreBars } from './score-bars';
import { optionText } from './words';

type Decomposition = Extract<CheckpointView, { kind: 'decomposition' }>;

/** A planner's request, and its available resources. */
export function PlannerRequest({
  decomposition: { query, complexity, environment, agents, context },
}: {
  decomposition: Decomposition;
}) {
  return (
    <>
      <Block
        title="Query"
        aside={
          complexity === null ? null : <span className="text-12 text-ink-3">{complexity}</span>
        }
      >
        {query === '' ? <p className="text-ink-3">No request.</p> : <LongText text={query} />}
      </Block>
      <Block
        title="Agents"
        aside={
          <span className="text-12 text-ink-3">
            {agents.length === 0 ? 'no label' : agents.length}
          </span>
        }
      >
        {environment === null ? null : (
          <p className="text-ink-2 pb-2">
            Environment: <VisibleText text={environment} />
          </p>
        )}
        {agents.length === 0 ? (
          <p className="text-ink-2">
            The call listed no available agents, so the agents were not checked.
          </p>
        ) : (
          <ul aria-label="Agents" className="grid gap-1">
            {agents.map(({ name, skills, allowedIn }, at) => (
              <li key={at} className="[overflow-wrap:anywhere]">
                <code className="text-12 font-mono">
                  <VisibleText text={name} />
                </code>{' '}
                <span className="text-12 text-ink-3">
                  <VisibleText text={skills.join(', ')} />
                  {allowedIn === null ? null : (
                    <VisibleText text={` · only in ${allowedIn.join(', ')}`} />
                  )}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Block>
      {context.length === 0 ? null : (
        <Block title="Context" aside={<span className="text-12 text-ink-3">{context.length}</span>}>
          <div className="grid gap-2">
            {context.map((text, at) => (
              <LongText key={at} text={text} />
            ))}
          </div>
        </Block>
      )}
    </>
  );
}

interface DecompositionCardProps {
  decomposition: Decomposition;
  verdict: Pick<VerdictDetail, 'threshold' | 'scores'>;
}

/**
 * The four scores and their total; the judge's own total is next to it, and is informational
 * (SOAR-4, SOAR-10).
 */
export function DecompositionCard({
  decomposition,
  verdict: { threshold, scores: measured },
}: DecompositionCardProps) {
  const { option, selfVerified, scores, overall, statedOverall, statedVerdict } = decomposition;
  const stated = statedText(statedOverall, statedVerdict);
  return (
    <Block
      title="Scores"
      aside={
        <span className="text-12 text-ink-2 flex flex-wrap gap-x-3">
          {option === null ? null : optionText(option)}
          {selfVerified ? (
            <VerdictMark state="needs_review" word="self-verified" size={11} />
          ) : null}
        </span>
      }
    >
      {scores.length === 0 ? (
        <p className="text-ink-2">
          No scores: the structure alone decided, or no judge was available.
        </p>
      ) : (
        <div className="grid gap-3">
          <ScoreBars
            label="Scores"
            bars={scores.map((each) => ({ ...each, note: weightText(measured, each.name) }))}
          />
          <Facts
            list={[
              [
                'Overall',
                overall === null
                  ? 'not computed'
                  : `${plainNumber(overall)}, computed from the four`,
              ],
              ...(threshold === null
                ? []
                : [['Passes from', plainNumber(threshold.value)] as const]),
              ...(stated === null
                ? []
                : [['Stated', <VisibleText key="stated" text={stated} />] as const]),
            ]}
          />
          {selfVerified ? (
            <p className="text-12 text-ink-2">
              The planner judged its own plan: calibration shows such verdicts as a separate series.
            </p>
          ) : null}
        </div>
      )}
    </Block>
  );
}

function weightText(measured: VerdictDetail['scores'], name: string): string | undefined {
  const weight = measured.find((score) => score.name === name)?.weight;
  return weight === undefined ? undefined : `weight ${plainNumber(weight)}`;
}

function statedText(overall: number | null, verdict: string | null): string | null {
  const parts = [overall === null ? null : plainNumber(overall), verdict].filter(
    (part) => part !== null,
  );
  return parts.length === 0 ? null : `${parts.join(', ')}, by the judge: recorded, not counted`;
}
