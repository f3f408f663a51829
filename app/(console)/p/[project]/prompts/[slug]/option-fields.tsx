'use client';

import { InlineSelect } from '@/app/_ui/field';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/client';
import type { PromptDetail } from '@/app/_trpc/outputs';
import { VersionChoice } from './version-choice';

/** The compared option: a version and its judge; '' for the current judge. */
export interface Options {
  readonly judge: string;
  readonly againstVersion: number;
  readonly againstJudge: string;
}

interface OptionFieldsProps {
  project: string;
  prompt: PromptDetail;
  /** The name of the candidate version. */
  candidateName: string;
  value: Options;
  onChange: (value: Options) => void;
}

/**
 * SOAR-37: option A, the opened version, and option B, the current one unless another is chosen.
 */
export function OptionFields({
  project,
  prompt,
  candidateName,
  value,
  onChange,
}: OptionFieldsProps) {
  const trpc = useTRPC();
  const judging = useQuery(trpc.verifiers.judging.queryOptions({ project }));
  const models = judging.data?.models ?? [];
  return (
    <div className="grid gap-2 sm:grid-cols-2">
      <fieldset className="border-line rounded-4 grid min-w-0 gap-2 border p-3">
        <legend className="px-1 font-semibold">Option A</legend>
        <p className="flex h-8 items-center gap-1">
          <span className="text-ink-2">Text</span> {candidateName}
        </p>
        <JudgeSelect
          name="Judge of A"
          models={models}
          value={value.judge}
          onChange={(judge) => onChange({ ...value, judge })}
        />
      </fieldset>
      <fieldset className="border-line rounded-4 grid min-w-0 gap-2 border p-3">
        <legend className="px-1 font-semibold">Option B</legend>
        <VersionChoice
          name="Text of B"
          prompt={prompt}
          value={value.againstVersion}
          onChange={(version) => onChange({ ...value, againstVersion: version ?? 0 })}
        />
        <JudgeSelect
          name="Judge of B"
          models={models}
          value={value.againstJudge}
          onChange={(judge) => onChange({ ...value, againstJudge: judge })}
        />
      </fieldset>
    </div>
  );
}

interface JudgeSelectProps {
  name: string;
  models: readonly string[];
  value: string;
  onChange: (judge: string) => void;
}

function JudgeSelect({ name, models, value, onChange }: JudgeSelectProps) {
  return (
    <InlineSelect
      label={name}
      value={value}
      options={[['', 'current judge'], ...models.map((model) => [model, model] as const)]}
      onChange={onChange}
    />
  );
}
