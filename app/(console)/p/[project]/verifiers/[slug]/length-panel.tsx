import type { VerifierPage } from '@/app/_trpc/outputs';
import { Panel } from '@/app/_ui/panel';
import { minSampleSize } from '@/app/_ui/rate';

type Effect = NonNullable<VerifierPage['length']>;

/** Whether longer outputs get better scores. */
export function LengthPanel({ effect }: { effect: Effect }) {
  return (
    <Panel
      title="Length effect"
      aside={
        <span className="text-12 text-ink-3">
          rank correlation of score and length of the output, {effect.days} days, 95% interval
        </span>
      }
    >
      <p className="max-w-[72ch] p-4">{lengthText(effect)}</p>
    </Panel>
  );
}

export function lengthText({ value, low, high, n }: Effect): string {
  const count = `n ${n.toLocaleString('en')}`;
  if (value === null || low === null || high === null)
    return n < minSampleSize
      ? `Unmeasured: ${count}, under ${minSampleSize}.`
      : `Unmeasured: all scores, or all lengths, are the same (${count}).`;
  const figure = `${signed(value)} (${signed(low)} to ${signed(high)}), ${count}.`;
  if (low > 0)
    return `${figure} Longer outputs score higher. Check whether they are better or only longer.`;
  if (high < 0)
    return `${figure} Longer outputs score lower. Check whether they are worse or only longer.`;
  return `${figure} No correlation of score and length is measurable.`;
}

const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;
