import type { CalibrationReport } from '@/app/_trpc/outputs';
import { Panel } from '@/app/_ui/panel';
import { EstimateRow, FactsTable } from './facts-table';

type Corrected = CalibrationReport['corrected'];

const names = {
  ppi: 'corrected by the sample (PPI++)',
  labels_only: 'sample alone',
  rogan_gladen: 'corrected by both error rates (Rogan–Gladen)',
} as const;

/** The assumption of each method. */
const assumes = {
  ppi: 'Valid if the labelled subjects are a random sample with known probabilities; independent of the verifier’s quality.',
  labels_only: 'Valid if the labelled subjects were drawn at random; does not use the verifier.',
  rogan_gladen:
    'Valid if catch rate and false rejections are the same in production as in the labelled data; not if items were chosen for labelling by their verdict.',
} as const;

/**
 * The share of good subjects among all decided verdicts: raw, and corrected for the verifier's
 * errors (calibration.md 5.4).
 */
export function CorrectedPanel({ corrected }: { corrected: Corrected }) {
  const {
    naive,
    ppi,
    labelsOnly,
    roganGladen,
    shown,
    why,
    disagree,
    decided,
    reached,
    drawn,
    labelled,
    defects,
  } = corrected;
  const row = (key: keyof typeof names, estimate: Corrected['naive']) => (
    <EstimateRow
      name={names[key]}
      meaning={assumes[key]}
      estimate={estimate}
      scale="share"
      of="labelled"
      strong={shown === key}
      beside={shown === key ? <strong className="text-ink font-semibold">, shown</strong> : null}
    />
  );
  return (
    <Panel title="Corrected pass rate">
      {disagree ? (
        <p
          role="note"
          className="bg-loud border-loud-line text-ink rounded-4 m-4 mb-0 border px-3 py-2"
        >
          Both corrections should be valid for the way the labels were drawn, but differ by more
          than their joint error. One assumption is wrong: check how the labels were chosen before
          you use either.
        </p>
      ) : null}
      <p className="max-w-[72ch] px-4 py-3">{why}</p>
      <FactsTable label="Corrected pass rate">
        <EstimateRow
          name="naive"
          meaning="The share that the verifier passed; not corrected."
          estimate={naive}
          scale="share"
          of="decided"
        />
        {row('ppi', ppi)}
        {row('labels_only', labelsOnly)}
        {row('rogan_gladen', roganGladen)}
      </FactsTable>
      <p className="text-12 text-ink-3 border-line border-t px-4 py-2">
        {decided.toLocaleString('en')} decided
        {drawn > 0 && reached !== decided
          ? `, ${reached.toLocaleString('en')} of them since the first was drawn`
          : ''}
        ; {labelled.toLocaleString('en')} of {drawn.toLocaleString('en')} drawn at random are
        labelled for the sample, {Math.max(0, drawn - labelled).toLocaleString('en')} are not;{' '}
        {defects.toLocaleString('en')} of the labelled are bad
        {ppi.lambda === null ? '' : `; weight of the verifier in PPI++ ${ppi.lambda.toFixed(3)}`}.
      </p>
    </Panel>
  );
}
