import type { VerdictTurn } from '@/app/_trpc/outputs';
import { VisibleText } from '@/app/_ui/visible-text';
import { Block, Facts, LongText } from './block';

type Gateway = NonNullable<VerdictTurn['gateway']>;
type Steer = NonNullable<NonNullable<Gateway['episode']>['steer']>;

const decisions = {
  pass: 'Passed',
  steer: 'Steered',
  verifier_failed: 'Failed: the original was delivered',
} as const;

const resultTexts: Record<Steer['state'], string> = {
  applied: 'The model answered again; the new answer was delivered',
  control: 'Withheld to measure the effect of steering; the original was delivered',
  deferred: 'Kept for the next request of the session; the original was delivered',
  recall_failed: 'The retry failed; the original was delivered',
  recall_empty: 'The new answer was empty; the original was delivered',
  no_context: 'The request could not be repeated; the original was delivered',
  not_qualified: 'Not steered: the verifier is not qualified; the original was delivered',
};

const milliseconds = (ms: number): string => `${Math.round(ms).toLocaleString('en')} ms`;

/** The verifier's finding on an answer on its way to the client, and the result of its note. */
export function EpisodeBlock({ gateway: { episode, held_ms } }: { gateway: Gateway }) {
  if (episode === null) return null;
  const { steer } = episode;
  const after = steer?.after ?? null;
  return (
    <>
      <Block title="Verifier">
        <Facts
          list={[
            ['Decision', decisions[episode.decision]],
            ['Calls', String(episode.calls)],
            ['Took', milliseconds(episode.latency_ms)],
            ...(held_ms === null ? [] : [['Verification delay', milliseconds(held_ms)] as const]),
            ...(episode.problem === null
              ? []
              : [['Problem', <VisibleText key="problem" text={episode.problem} />] as const]),
            ...(steer === null ? [] : [['Note', resultTexts[steer.state]] as const]),
            ...(steer === null || steer.problem === null
              ? []
              : [['Why', <VisibleText key="why" text={steer.problem} />] as const]),
            ...(after === null ? [] : [['Recheck', decisions[after.decision]] as const]),
          ]}
        />
      </Block>
      {steer?.other_answer == null ? null : (
        <Block
          title={
            steer.state === 'applied'
              ? 'Original answer, not delivered'
              : 'New answer, not delivered'
          }
        >
          <LongText text={steer.other_answer} />
        </Block>
      )}
    </>
  );
}
