import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { VisibleText } from '@/app/_ui/visible-text';
import type { Synthesis } from './synthesis-parts';
import { claimStyles, meansText } from './words';

type Claim = Synthesis['claims'][number];

export const outputId = (output: number): string => `output-${output}`;
const claimId = (claim: number): string => `claim-${claim}`;
const markId = (claim: number): string => `place-${claim}`;

const stateClasses: Record<Claim['state'], string> = {
  supported: 'bg-pass-wash border-pass border-b',
  unsupported: 'bg-fail-wash border-fail border-b-2 border-dotted',
  undecided: 'bg-sunken border-ink-3 border-b border-dashed',
};

/**
 * A claim in the answer: an icon, the text and, unless it is supported, its state as a word. Links
 * to the reason.
 */
export function ClaimMark({ claim: { state, text }, index }: { claim: Claim; index: number }) {
  return (
    // A link rather than a button, because a button does not wrap with the text around it.
    <a
      href={`#${claimId(index)}`}
      id={markId(index)}
      className={`${stateClasses[state]} rounded-t-4 target:ring-accent px-0.5 [box-decoration-break:clone] target:ring-1`}
    >
      <span className="mr-1 inline-block align-[-1px]">
        <VerdictIcon state={claimStyles[state].state} size={11} />
      </span>
      <VisibleText text={text} />
      {state === 'supported' ? null : (
        <span className="text-12 text-ink-2 ml-1">{claimStyles[state].word}</span>
      )}
      <span className="sr-only">{`, claim ${index + 1}${state === 'supported' ? ', supported' : ''}, go to the reason`}</span>
    </a>
  );
}

interface ClaimItemProps {
  claim: Claim;
  index: number;
  /** Index of each output, by its id. */
  places: ReadonlyMap<string, number>;
}

export function ClaimItem({
  claim: { state, text, supportedBy, by, reason },
  index,
  places,
}: ClaimItemProps) {
  return (
    <li
      id={claimId(index)}
      tabIndex={-1}
      className="rounded-4 target:ring-accent grid grid-cols-[16px_minmax(0,1fr)] gap-x-2 target:ring-1"
    >
      <span className="pt-[3px]">
        <VerdictIcon state={claimStyles[state].state} />
      </span>
      <div className="grid min-w-0 gap-0.5">
        <p className="[overflow-wrap:anywhere]">
          <a href={`#${markId(index)}`} className="hover:underline">
            <VisibleText
              text={
                text.length > 300 ? `${text.slice(0, 300).replace(/[\uD800-\uDBFF]$/, '')}…` : text
              }
            />
            <span className="sr-only">, go to it in the answer</span>
          </a>
        </p>
        <p className="text-12 text-ink-2 [overflow-wrap:anywhere]">
          {claimStyles[state].word}
          {by === null ? '' : `, ${meansText(by)}`}
          {supportedBy.length === 0 ? null : ': '}
          {supportedBy.map((id, at) => (
            <span key={at}>
              {at === 0 ? '' : ', '}
              <OutputLink id={id} place={places.get(id)} />
            </span>
          ))}
        </p>
        {reason === null ? null : (
          <p className="text-12 text-ink-2 [overflow-wrap:anywhere]">
            <VisibleText text={reason} />
          </p>
        )}
      </div>
    </li>
  );
}

function OutputLink({ id, place }: { id: string; place: number | undefined }) {
  const name = (
    <code className="font-mono">
      <VisibleText text={id} />
    </code>
  );
  if (place === undefined) return name;
  return (
    <a href={`#${outputId(place)}`} className="underline">
      {name}
    </a>
  );
}
