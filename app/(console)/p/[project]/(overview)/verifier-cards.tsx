import Link from 'next/link';
import { trustHref } from '@/app/(console)/verifier-trust';
import type { Changes, Trust } from '@/app/_trpc/outputs';
import { Empty, Panel } from '@/app/_ui/panel';
import { minSampleSize, rateText } from '@/app/_ui/rate';
import { TrustMark } from '@/app/_ui/trust-mark';
import { VisibleText } from '@/app/_ui/visible-text';
import { rowsHref } from '../calibration/addresses';
import { filterQuery } from '../verdicts/filters';
import { changeText } from './change-words';
import { CountLink } from './count-link';

type ComparedVerifier = Changes['verifiers'][number];
type Share = ComparedVerifier['passRate']['now'];
type Coverage = Changes['coverage'][number];

interface VerifierCardsProps {
  project: string;
  changes: Changes;
  trusts: ReadonlyMap<string, Trust>;
}

const maxCards = 6;

/** The verifiers with the most verdicts: whether to trust each, and its findings. */
export function VerifierCards({ project, changes, trusts }: VerifierCardsProps) {
  const shown = changes.verifiers
    .toSorted((a, b) => b.passRate.now.denominator - a.passRate.now.denominator)
    .slice(0, maxCards);
  return (
    <Panel
      title="Verifiers"
      aside={
        <span className="text-12 text-ink-3 flex flex-wrap gap-x-4">
          <span className="max-md:sr-only">
            95% intervals; under n = {minSampleSize} only counts
          </span>
          <Link href={`/p/${project}/calibration`} className="hover:text-ink underline">
            {shown.length < changes.verifiers.length
              ? `All ${changes.verifiers.length.toLocaleString('en')} verifiers`
              : 'Calibration'}
          </Link>
        </span>
      }
    >
      {shown.length === 0 ? (
        <Empty title="No verdict in this period or the one before." />
      ) : (
        <ul aria-label="Verifiers" className="grid overflow-hidden md:grid-cols-2 xl:grid-cols-3">
          {shown.map((compared) => (
            <VerifierCard
              key={compared.verifier}
              project={project}
              compared={compared}
              changes={changes}
              trust={trusts.get(compared.verifier)}
            />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function VerifierCard({
  project,
  compared: { verifier, passRate, catchRate },
  changes: { from, coverage },
  trust,
}: {
  project: string;
  compared: ComparedVerifier;
  changes: Changes;
  trust: Trust | undefined;
}) {
  const rows = (outcome: ('passed' | 'failed')[]): string =>
    `/p/${project}/verdicts${filterQuery({ outcome, verifier, from })}`;
  const about = { project, verifier, origin: 'verifier' as const };
  const { text, word } = changeText(passRate);
  // A verifier that only verify calls reach has no coverage.
  const covered = coverage.find((each) => each.verifier === verifier);
  const gap = trust === undefined || trust.state === 'qualified' ? undefined : trust.gaps[0];
  return (
    <li
      aria-label={verifier}
      className="border-line -mr-px -mb-px grid content-start gap-1 border-r border-b px-4 py-3"
    >
      <div className="flex items-center justify-between gap-x-3">
        <Link
          href={`/p/${project}/verifiers/${encodeURIComponent(verifier.replace(/:self$/, ''))}`}
          prefetch={false}
          className="truncate font-mono font-semibold hover:underline"
        >
          <VisibleText text={verifier} />
        </Link>
        {trust === undefined ? null : (
          <Link href={trustHref(project, verifier)} prefetch={false} className="hover:underline">
            <TrustMark trust={trust} lead="Trust:" />
          </Link>
        )}
      </div>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <Rate share={passRate.now} />
        <Counts
          name={`pass rate of ${verifier}`}
          share={passRate.now}
          numeratorHref={rows(['passed'])}
          denominatorHref={rows(['passed', 'failed'])}
        />
        <span className="text-ink-2">passed</span>
      </p>
      {word === null ? null : (
        <p className="text-12 text-ink-2">
          <strong className="text-ink font-semibold">{word}</strong> {text} from the previous period
        </p>
      )}
      <dl className="text-12 text-ink-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
        <dt>Catch rate</dt>
        <dd className="text-ink">
          <SmallRate share={catchRate.now} />
          <Counts
            name={`catch rate of ${verifier}`}
            share={catchRate.now}
            numeratorHref={rowsHref(about, 'caught', { from })}
            denominatorHref={rowsHref(about, 'bad', { from })}
          />
        </dd>
        {covered === undefined ? null : (
          <>
            <dt>Coverage</dt>
            <dd className="text-ink">
              <CoverageText project={project} coverage={covered} />
            </dd>
          </>
        )}
      </dl>
      {gap === undefined ? null : (
        <p className="text-12 text-ink-3 [overflow-wrap:anywhere]">
          <VisibleText text={gap.text} />
        </p>
      )}
    </li>
  );
}

function Rate({ share: { numerator, denominator, weight } }: { share: Share }) {
  const { rate, interval } = rateText(numerator, denominator, weight);
  if (denominator === 0) return <span className="text-20 text-ink-3 font-semibold">–</span>;
  return rate === null ? null : (
    <>
      <span className="text-20 font-semibold">{rate}</span>
      <span className="text-12 text-ink-2">({interval})</span>
    </>
  );
}

function SmallRate({ share: { numerator, denominator, weight } }: { share: Share }) {
  const { rate, interval } = rateText(numerator, denominator, weight);
  return rate === null ? null : `${rate} (${interval}) `;
}

function Counts({
  name,
  share: { numerator, denominator },
  numeratorHref,
  denominatorHref,
}: {
  name: string;
  share: Share;
  numeratorHref: string;
  denominatorHref: string;
}) {
  if (denominator === 0) return <span className="text-ink-3">not measured</span>;
  return (
    <span className="text-ink-2">
      <CountLink href={numeratorHref} count={numerator} name={`${name}, numerator`} />/
      <CountLink href={denominatorHref} count={denominator} name={`${name}, denominator`} />
    </span>
  );
}

/** Decided subjects that the verifier's rules selected. */
function CoverageText({
  project,
  coverage: { rules, selected, eligible },
}: {
  project: string;
  coverage: Coverage;
}) {
  const [rule] = rules;
  const { rate, counts } = rateText(selected, eligible);
  return (
    <Link
      href={
        rules.length === 1 && rule !== undefined
          ? `/p/${project}/rules/${encodeURIComponent(rule)}`
          : `/p/${project}/rules`
      }
      prefetch={false}
      title="Matching subjects that its rules selected"
      className="hover:underline"
    >
      {rate === null ? null : `${rate}, `}
      {counts} selected
    </Link>
  );
}
