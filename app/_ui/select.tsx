'use client';

import { lazy, type Ref, Suspense } from 'react';
import { inputClass, SelectText } from './input-styles';

/** The value of a choice and its text. */
export type SelectOption<Value extends string = string> = readonly [value: Value, text: string];

export interface SelectProps<Value extends string> {
  /** Of the control, for a label element. */
  id?: string;
  /** The name of the control if it has no label element. */
  label?: string;
  describedBy?: string;
  isInvalid?: boolean;
  disabled?: boolean;
  value: Value;
  /** Choices before the groups. */
  options: readonly SelectOption<Value>[];
  groups?: readonly SelectGroup<Value>[];
  onChange: (value: Value) => void;
  className?: string;
  ref?: Ref<HTMLButtonElement>;
}

export interface SelectGroup<Value extends string = string> {
  readonly name: string;
  readonly options: readonly SelectOption<Value>[];
}

const LazySelect = lazy(() => import('./select-impl'));

/**
 * A choice of one from a list. The list is loaded after the page's first scripts; until then a text
 * of the same size shows the chosen option.
 */
export function Select<Value extends string>({ onChange, ...props }: SelectProps<Value>) {
  const { value, options, groups = [], className = '', disabled = false } = props;
  const all = [...options, ...groups.flatMap((group) => group.options)];
  const text = all.find(([each]) => each === value)?.[1] ?? '';
  const choose = (chosen: string) => {
    const option = all.find(([each]) => each === chosen);
    if (option !== undefined && option[0] !== value) onChange(option[0]);
  };
  const controlClass = `${inputClass} flex items-center justify-between gap-1 text-left ${disabled ? 'opacity-60' : 'cursor-pointer'} ${className}`;
  return (
    <Suspense
      fallback={
        <span className={controlClass}>
          <SelectText text={text} />
        </span>
      }
    >
      <LazySelect
        {...props}
        groups={groups}
        controlClass={controlClass}
        text={text}
        onChange={choose}
      />
    </Suspense>
  );
}
