import { TrustMark } from '@/app/_ui/trust-mark';
import { useTrusts } from '@/app/(console)/use-trusts';
import { Button } from '@/app/_ui/button';
import { VerdictMark } from '@/app/_ui/verdict-mark';
import { VisibleText } from '@/app/_ui/visible-text';
import { readVerifierName } from '@/server/domain';
import { Block, Facts } from '../verdicts/[id]/block';
import type { Ruled } from './review-state';
import { agreementText, answerWords, itemTitle } from './review-words';
import { MachineMark, OthersList } from './verdict-card';

/**
 * The result of the latest ruling: the verifier's and others' verdicts, and this person's agreement
 * with them. Shown until the next ruling.
 */
interface LastRulingProps {
  project: string;
  ruled: Ruled;
  onUndo: (at: number) => void;
}

export function LastRuling({ project, ruled: { item, said, stored }, onUndo }: LastRulingProps) {
  const { name, state } = answerWords[said.answer];
  // Shown only with the verifier's verdict: the item was judged blind.
  const trust = useTrusts(project).get(readVerifierName(item.verifier).slug);
  return (
    <Block
      title="Your last ruling"
      aside={
        <Button variant="quiet" onClick={(event) => onUndo(event.timeStamp)}>
          Undo <kbd className="text-12 text-ink-3 font-mono">u</kbd>
        </Button>
      }
    >
      <Facts
        list={[
          [
            'Item',
            <span key="item">
              <VisibleText text={itemTitle(item)} />
              {said.bulk === null ? null : (
                <span className="text-ink-3"> and {said.bulk.items - 1} similar</span>
              )}
            </span>,
          ],
          [
            'You',
            <span key="you" className="flex flex-wrap gap-x-2">
              <VerdictMark state={state} word={name} />
              {said.grade === null ? null : <span className="text-ink-3">{said.grade} of 5</span>}
              {stored === null ? <span className="text-ink-3">being stored</span> : null}
            </span>,
          ],
          ...(stored === null
            ? []
            : [
                ['Verifier', <MachineMark key="machine" machine={stored.seen.machine} />] as const,
                ...(trust === undefined
                  ? []
                  : [['Its trust', <TrustMark key="trust" trust={trust} />] as const]),
                ['Others', <OthersList key="others" others={stored.seen.others} />] as const,
                ['With verifier', agreementText(stored.agreement.machine)] as const,
                ['With others', agreementText(stored.agreement.others)] as const,
              ]),
        ]}
      />
    </Block>
  );
}
