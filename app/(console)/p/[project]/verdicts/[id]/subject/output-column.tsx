import Link from 'next/link';
import { deriveOutcome, type Score } from '@/server/domain';
import type { VerdictSubject } from '@/app/_trpc/outputs';
import { VerdictBadge } from '@/app/_ui/verdict-badge';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { Block } from '../block';
import type { QuoteSpan } from './quote-pieces';
import { QuotedText } from './quoted-text';

interface OutputColumnProps {
  project: string;
  subject: VerdictSubject;
  scores: readonly Score[];
  quotes: ReadonlyMap<string, readonly QuoteSpan[]>;
}

const none: [] = [];

/** The work itself, with the passages that scores quote. */
export function OutputColumn({ project, subject: { content }, scores, quotes }: OutputColumnProps) {
  return (
    <div className="grid content-start gap-4">
      {content.outputs.map((output, at) => (
        <Block
          key={at}
          title={output.title ?? <VisibleText text={output.name} />}
          aside={<EarlierVerdict project={project} output={output} />}
        >
          {output.description === null ? null : (
            <p className="text-ink-2 pb-2 [overflow-wrap:anywhere]">
              <VisibleText text={output.description} />
            </p>
          )}
          <QuotedText
            name={output.name}
            text={output.text}
            spans={quotes.get(output.name) ?? none}
            scores={scores}
          />
        </Block>
      ))}
      {content.outputs.length === 0 ? (
        <p className="text-ink-2">
          The output cannot be shown on its own; the stored content has it.
        </p>
      ) : null}
    </div>
  );
}

/** The earlier verdict on a mission's task. */
function EarlierVerdict({
  project,
  output,
}: {
  project: string;
  output: VerdictSubject['content']['outputs'][number];
}) {
  return (
    <span className="text-12 flex flex-wrap gap-x-2">
      {output.verdict === null ? null : (
        <VerdictBadge outcome={deriveOutcome(output.verdict)} verdict={output.verdict} size={11} />
      )}
      {output.verificationId === null ? null : (
        <Link
          href={`/p/${project}/verdicts/${encodeURIComponent(output.verificationId)}`}
          prefetch={false}
          className="underline"
          aria-label={`verdict on ${plainText(output.name)}`}
        >
          its verdict
        </Link>
      )}
    </span>
  );
}
