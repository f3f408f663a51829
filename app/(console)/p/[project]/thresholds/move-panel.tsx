'use client';

import { useId, useState } from 'react';
import type { SimulatedCandidate, Simulation, Threshold } from '@/app/_trpc/outputs';
import { Button } from '@/app/_ui/button';
import { FieldError } from '@/app/_ui/field';
import { inputClass } from '@/app/_ui/input-styles';
import { Moment } from '@/app/_ui/moment';
import { Panel } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';
import { PriceField } from '../calibration/verifier/price-field';
import { plainNumber } from '../verdicts/[id]/subject/words';
import { type ThresholdAddress, maxPrice, type StagedValue } from './addresses';
import { ScoreSlider } from './score-slider';
import { crossedBy, type CurrentValue, readValue, stepOf } from './threshold-values';
import { outcomeText, rangeText, sourceText } from './threshold-words';

interface MovePanelProps {
  threshold: Threshold;
  currentValue: CurrentValue;
  candidate: number;
  otherStaged: readonly StagedValue[];
  /** The server's reason why this value cannot be set. */
  fault: string | null;
  prices: Pick<ThresholdAddress, 'miss' | 'reject' | 'review'>;
  /** Undefined while it loads; null if the threshold is not compared with the score. */
  histogram: Simulation['histogram'] | undefined;
  /** The candidate's; undefined while unknown. */
  figures: SimulatedCandidate | undefined;
  onChange: (
    change: Partial<Pick<ThresholdAddress, 'value' | 'miss' | 'reject' | 'review'>>,
  ) => void;
}

/** The value as a line on the scores and as a number; arrow keys move it by one step. */
export function MovePanel({
  threshold,
  currentValue,
  candidate,
  otherStaged,
  fault,
  prices,
  histogram,
  figures,
  onChange,
}: MovePanelProps) {
  const id = useId();
  const { key, min, max } = threshold;
  const step = stepOf(threshold);
  const crossed = crossedBy(key, candidate, otherStaged);
  const set = (value: number) => onChange({ value: value === currentValue.value ? null : value });
  const tooFar = candidate < min || candidate > max ? `From ${rangeText(threshold)}.` : null;
  const why =
    crossed === null
      ? fault
      : `It would cross ${crossed.key}, ${plainNumber(crossed.value)}: the pass threshold must not be below it.`;
  return (
    <Panel
      title="Candidate value"
      aside={<span className="text-12 text-ink-3">stored verdicts do not change</span>}
    >
      <div className="grid gap-4 p-4">
        <label htmlFor={`${id}-slider`}>
          {key} <strong className="font-semibold">{plainNumber(candidate)}</strong>
        </label>
        <ScoreSlider
          id={`${id}-slider`}
          threshold={threshold}
          histogram={histogram}
          current={currentValue.value}
          candidate={candidate}
          effect={figures === undefined ? undefined : outcomeText(figures)}
          onChange={set}
        />
        <div>
          <NumberField
            id={`${id}-number`}
            value={candidate}
            step={step}
            threshold={threshold}
            error={tooFar ?? why}
            onChange={set}
          />
        </div>
        <FieldError id={`${id}-number-error`} text={tooFar ?? why} />
        <p className="text-ink-2 flex flex-wrap items-center gap-x-3 gap-y-1 [overflow-wrap:anywhere]">
          <span>
            Current:{' '}
            <strong className="text-ink font-semibold">{plainNumber(currentValue.value)}</strong>,{' '}
            {sourceText(currentValue)}
            {currentValue.set === null ? null : (
              <>
                {' '}
                by <VisibleText text={currentValue.set.by} />, <Moment at={currentValue.set.at} />
                {currentValue.set.reason === null ? null : (
                  <>
                    : <VisibleText text={currentValue.set.reason} />
                  </>
                )}
              </>
            )}
          </span>
          {candidate === currentValue.value ? null : (
            <Button variant="quiet" onClick={() => set(currentValue.value)}>
              Back to {plainNumber(currentValue.value)}
            </Button>
          )}
        </p>
        <fieldset className="border-line grid gap-2 border-t pt-3">
          <legend className="sr-only">Prices, in your own unit</legend>
          <div className="flex flex-wrap gap-4">
            <PriceField
              label="A missed failure costs"
              value={prices.miss}
              max={maxPrice}
              onChange={(miss) => onChange({ miss })}
            />
            <PriceField
              label="A false rejection costs"
              value={prices.reject}
              max={maxPrice}
              onChange={(reject) => onChange({ reject })}
            />
            <PriceField
              label="A review costs"
              value={prices.review}
              max={maxPrice}
              onChange={(review) => onChange({ review })}
            />
          </div>
        </fieldset>
      </div>
    </Panel>
  );
}

interface NumberFieldProps {
  id: string;
  value: number;
  step: number;
  threshold: Threshold;
  error: string | null;
  onChange: (value: number) => void;
}

/** Text that is not a number remains a draft and changes nothing. */
function NumberField({ id, value, step, threshold, error, onChange }: NumberFieldProps) {
  const [draft, setDraft] = useState(plainNumber(value));
  const [lastValue, setLastValue] = useState(value);
  if (lastValue !== value) {
    // Changed by the slider, or from outside: it replaces the draft.
    setLastValue(value);
    if (readValue(draft) !== value) setDraft(plainNumber(value));
  }
  const isDraft = readValue(draft) === null;
  return (
    <label className="text-ink-2 grid gap-1" htmlFor={id}>
      <span>Value, {rangeText(threshold)}</span>
      <input
        id={id}
        type="number"
        min={threshold.min}
        max={threshold.max}
        step={step}
        inputMode="decimal"
        value={draft}
        aria-invalid={isDraft || error !== null ? true : undefined}
        aria-describedby={`${id}-error`}
        onChange={(event) => {
          setDraft(event.target.value);
          const read = readValue(event.target.value);
          if (read !== null) onChange(read);
        }}
        className={`${inputClass} md:w-36`}
      />
    </label>
  );
}
