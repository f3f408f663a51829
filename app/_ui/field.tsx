import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type TextareaHTMLAttributes,
  useId,
} from 'react';
import { inputClass } from './input-styles';
import { Select, type SelectOption } from './select';

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'className'> {
  label: string;
  hint?: ReactNode;
  error?: string | null | undefined;
  mono?: boolean;
  ref?: Ref<HTMLInputElement>;
}

interface FieldFrameProps {
  /** Of the control, which is described by `${id}-hint` and `${id}-error`. */
  id: string;
  label: string;
  hint: ReactNode;
  error: string | null | undefined;
  children: ReactNode;
}

/** The label above a control, and below it its hint and its error; equal ones are shown once. */
export function FieldFrame({ id, label, hint, error, children }: FieldFrameProps) {
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      {children}
      <p id={`${id}-hint`} className="text-12 text-ink-3 empty:hidden">
        {hint === error ? null : hint}
      </p>
      <FieldError id={`${id}-error`} text={error} />
    </div>
  );
}

/**
 * A labelled input with its hint and its error below, connected for screen readers.
 */
export function Field({ label, hint, error, mono = false, ...input }: FieldProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <input
        {...input}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-hint ${id}-error`}
        className={`${inputClass} ${mono ? 'font-mono' : ''}`}
      />
    </FieldFrame>
  );
}

interface TextAreaFieldProps
  extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'id' | 'className'> {
  label: string;
  hint?: ReactNode;
  error?: string | null | undefined;
  mono?: boolean;
}

/** As `Field`, for text of several lines. */
export function TextAreaField({ label, hint, error, mono = false, ...area }: TextAreaFieldProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <textarea
        rows={3}
        spellCheck={!mono}
        {...area}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-hint ${id}-error`}
        className={`${inputClass} h-auto py-1.5 ${mono ? 'font-mono' : ''}`}
      />
    </FieldFrame>
  );
}

interface SelectFieldProps<Value extends string> {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  disabled?: boolean;
  value: Value;
  options: readonly SelectOption<Value>[];
  onChange: (value: Value) => void;
}

/** A labelled list of choices with its hint and its error below. */
export function SelectField<Value extends string>({
  label,
  hint,
  error,
  disabled = false,
  ...choice
}: SelectFieldProps<Value>) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <Select
        {...choice}
        id={id}
        disabled={disabled}
        isInvalid={error !== undefined}
        describedBy={`${id}-hint ${id}-error`}
      />
    </FieldFrame>
  );
}

interface InlineSelectProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly SelectOption<Value>[];
  onChange: (value: Value) => void;
  className?: string;
}

/** A choice with its label in front, for the head of a panel. */
export function InlineSelect<Value extends string>({ label, ...choice }: InlineSelectProps<Value>) {
  const id = useId();
  return (
    <div className="flex min-w-0 items-center gap-1">
      <label htmlFor={id} className="text-ink-2 shrink-0">
        {label}
      </label>
      <Select {...choice} id={id} />
    </div>
  );
}

export function FieldError({ id, text }: { id?: string; text?: string | null | undefined }) {
  return (
    <p
      id={id}
      role={text ? 'alert' : undefined}
      className="text-12 text-ink flex items-start gap-1 empty:hidden"
    >
      {text ? (
        <>
          <svg
            width="12"
            height="16"
            viewBox="0 0 12 16"
            aria-hidden="true"
            className="text-fail shrink-0"
          >
            <path
              d="M6 2.5 11.2 12H.8zM6 6v2.6m0 1.6v.1"
              fill="none"
              stroke="currentColor"
              strokeWidth="1.3"
              strokeLinejoin="round"
            />
          </svg>
          {text}
        </>
      ) : null}
    </p>
  );
}
