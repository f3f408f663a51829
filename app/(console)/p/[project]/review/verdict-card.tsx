import Link from 'next/link';
import type { ReviewContent, ReviewItem } from '@/app/_trpc/outputs';
import { VerdictBadge } from '@/app/_ui/verdict-badge';
import { VerdictMark } from '@/app/_ui/verdict-mark';
import { VisibleText } from '@/app/_ui/visible-text';
import { Block, Facts, LongText } from '../verdicts/[id]/block';
import { plainNumber } from '../verdicts/[id]/subject/words';
import { answerWords, queueWords } from './review-words';

type Seen = NonNullable<ReviewContent['seen']>;

export function MachineMark({ machine: { outcome, verdict } }: Pick<Seen, 'machine'>) {
  return <VerdictBadge outcome={outcome} verdict={verdict} />;
}

/** The verdicts of others, one per line. */
export function OthersList({ others }: Pick<Seen, 'others'>) {
  if (others.length === 0) return <span className="text-ink-3">no other rulings</span>;
  return (
    <ul className="grid gap-1">
      {others.map(({ rater, answer, reason }, at) => (
        <li key={at} className="grid gap-0.5">
          <span className="flex flex-wrap items-center gap-x-2">
            <VerdictMark state={answerWords[answer].state} word={answerWords[answer].name} />
            <span className="text-ink-3 [overflow-wrap:anywhere]">
              <VisibleText text={rater} />
            </span>
          </span>
          {reason === null ? null : (
            <span className="text-ink-2 [overflow-wrap:anywhere]">
              <VisibleText text={reason} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The verifier's verdict, or a note that it is still hidden. */
export function VerdictCard({
  project,
  item,
  seen,
}: {
  project: string;
  item: ReviewItem;
  seen: Seen | null;
}) {
  if (seen === null) {
    return (
      <Block title="Verdict">
        <p className="text-ink-2">
          Hidden: this review is blind. The verdict and other rulings are shown after your ruling.
        </p>
      </Block>
    );
  }
  const { score, threshold } = seen.machine;
  return (
    <Block
      title="Verdict"
      aside={
        <Link
          href={`/p/${project}/verdicts/${encodeURIComponent(item.verdictId)}`}
          prefetch={false}
          className="text-12 text-ink-2 hover:text-ink underline"
        >
          Open the verdict
        </Link>
      }
    >
      <Facts
        list={[
          ['Verifier', <MachineMark key="machine" machine={seen.machine} />],
          ...(score === null
            ? []
            : [
                [
                  'Score',
                  `${plainNumber(score)}${threshold === null ? '' : `, passes from ${plainNumber(threshold)}`}`,
                ] as const,
              ]),
          ['Others', <OthersList key="others" others={seen.others} />],
        ]}
      />
    </Block>
  );
}

/** Why it is in the queue, and how many reviewers it needs. */
export function WhyCard({
  item: { queues, reason, raters, ruled, verifier },
}: {
  item: ReviewItem;
}) {
  return (
    <Block title="Why it is here">
      <div className="grid gap-2">
        {queues.length > 0 ? null : (
          <p className="text-ink-2">Hidden, because it would reveal the verdict.</p>
        )}
        <ul className="grid gap-1 empty:hidden">
          {queues.map((queue) => (
            <li key={queue}>
              <span className="font-semibold">{queueWords[queue].name}</span>{' '}
              <span className="text-ink-2">{queueWords[queue].why}</span>
            </li>
          ))}
        </ul>
        {reason === null ? null : <LongText text={reason} />}
        <Facts
          list={[
            ['Verifier', <Code key="verifier" text={verifier} />],
            ...(raters > 1 ? [['People', `${ruled} of ${raters} have ruled`] as const] : []),
          ]}
        />
      </div>
    </Block>
  );
}

function Code({ text }: { text: string }) {
  return (
    <code className="text-12 font-mono">
      <VisibleText text={text} />
    </code>
  );
}

/** The wording under which rulings on this verifier are given. */
export function PolicyCard({
  project,
  verifier,
  policy,
}: {
  project: string;
  verifier: string;
  policy: ReviewContent['policy'];
}) {
  const [slug = ''] = verifier.split('@');
  const href = `/p/${project}/review/policy?verifier=${encodeURIComponent(slug)}`;
  return (
    <Block
      title={policy === null ? 'Policy' : `Policy, version ${policy.version}`}
      aside={
        <Link href={href} prefetch={false} className="text-12 text-ink-2 hover:text-ink underline">
          {policy === null ? 'Write one' : 'All versions'}
        </Link>
      }
    >
      {policy === null ? (
        <p className="text-ink-2">This verifier has no policy.</p>
      ) : (
        <LongText text={policy.body} />
      )}
    </Block>
  );
}
