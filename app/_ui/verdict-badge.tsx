import { VerdictIcon } from './verdict-mark';
import { shownState, type StoredState, type VerdictState, wordOf } from './verdict-styles';
import { plainText, VisibleText } from './visible-text';

interface Decided {
  readonly outcome: StoredState;
  /** In the verifier's own words: `unsourced`, `RETRY`. */
  readonly verdict: string | null;
}

/** A verdict as the verifier decided it and as a person ruled on it. */
interface VerdictBadgeProps extends Omit<Decided, 'outcome'> {
  /** Null if pending. */
  outcome: StoredState | null;
  ruled?: { readonly outcome: StoredState; readonly verdict: string } | null;
  size?: number;
  /** In a narrow row, only the icons and the outcome are visible. */
  inRow?: boolean;
}

/** Whether a person overruled the verifier. */
export function isOverruled({
  verdict,
  ruled,
}: Pick<VerdictBadgeProps, 'verdict' | 'ruled'>): boolean {
  return ruled != null && ruled.verdict !== verdict;
}

/**
 * The state of a verdict, the same on every page: the outcome that counts with the verifier's own
 * word, and if a person overruled it, the person mark and the verifier's decision struck through.
 */
export function VerdictBadge({
  outcome,
  verdict,
  ruled = null,
  size = 14,
  inRow = false,
}: VerdictBadgeProps) {
  const machine: Decided = { outcome: outcome ?? 'pending', verdict };
  const counted = ruled !== null && isOverruled({ verdict, ruled }) ? ruled : machine;
  return (
    <span
      title={inRow ? titleOf(counted, machine) : undefined}
      className={`text-ink inline-flex max-w-full min-w-0 items-baseline gap-x-2 ${inRow ? 'align-middle whitespace-nowrap' : 'flex-wrap'}`}
    >
      <VerdictIcon state={iconStateOf(counted)} size={size} />
      <span className={inRow ? 'truncate' : ''}>
        {stateWord(counted)}
        <VerifierWord decided={counted} inRow={inRow} />
      </span>
      {counted === machine ? null : (
        <>
          <VerdictIcon state="overridden" size={size} />
          <span className="sr-only"> ruled by a person, the verifier decided </span>
          <s className={`text-ink-3 font-normal ${inRow ? 'truncate @max-3xl:sr-only' : ''}`}>
            {stateWord(machine)}
            <VerifierWord decided={machine} inRow={false} />
          </s>
        </>
      )}
    </span>
  );
}

function VerifierWord({ decided, inRow }: { decided: Decided; inRow: boolean }) {
  const word = verifierWord(decided);
  if (word === null) return null;
  return (
    <span
      className={`text-ink-2 font-normal [overflow-wrap:anywhere] ${inRow ? '@max-3xl:sr-only' : ''}`}
    >
      {' '}
      <VisibleText text={word} />
    </span>
  );
}

/** A RETRY counts as failed, but the work is attempted again: it has the mark of open states. */
const isRetry = ({ verdict }: Decided): boolean => verdict === 'RETRY';

/** The state whose icon a verdict has. */
export function iconStateOf(decided: Decided): VerdictState {
  return isRetry(decided) ? 'needs_review' : shownState(decided.outcome);
}

const stateWord = (decided: Decided): string =>
  isRetry(decided) ? 'RETRY' : wordOf(decided.outcome);

/** Null if it only repeats the outcome: `PASS` of `Passed`. */
function verifierWord(decided: Decided): string | null {
  const { verdict } = decided;
  if (verdict === null || stateWord(decided).toLowerCase().startsWith(verdict.toLowerCase()))
    return null;
  return verdict;
}

function titleOf(counted: Decided, machine: Decided): string {
  const textOf = (decided: Decided) =>
    [stateWord(decided), plainText(verifierWord(decided) ?? '')].filter(Boolean).join(' ');
  return counted === machine
    ? textOf(machine)
    : `${textOf(counted)}, ruled by a person; the verifier decided ${textOf(machine)}`;
}
