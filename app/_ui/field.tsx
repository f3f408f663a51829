import {
  type InputHTMLAttributes,
  type ReactNode,
  type TextareaHTMLAttributes,
  useId,
} from 'react';

export const inputClass =
  'bg-surface text-ink rounded-4 text-13 placeholder:text-ink-3 h-8 w-full min-w-0 border border-line-strong px-2 aria-invalid:border-fail';

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'className'> {
  label: string;
  hint?: ReactNode;
  error?: string | null | undefined;
  mono?: boolean;
}

/**
 * A labelled input with its hint and its error below, connected for screen readers. A hint that
 * equals the error is not shown twice.
 */
export function Field({ label, hint, error, mono = false, ...input }: FieldProps) {
  const id = useId();
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <input
        {...input}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-hint ${id}-error`}
        className={`${inputClass} ${mono ? 'font-mono' : ''}`}
      />
      <p id={`${id}-hint`} className="text-12 text-ink-3 empty:hidden">
        {hint === error ? null : hint}
      </p>
      <FieldError id={`${id}-error`} text={error} />
    </div>
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
    <div className="grid gap-1">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <textarea
        rows={3}
        spellCheck={!mono}
        {...area}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-hint ${id}-error`}
        className={`${inputClass} h-auto py-1.5 ${mono ? 'font-mono' : ''}`}
      />
      <p id={`${id}-hint`} className="text-12 text-ink-3 empty:hidden">
        {hint === error ? null : hint}
      </p>
      <FieldError id={`${id}-error`} text={error} />
    </div>
  );
}

interface SelectFieldProps {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  value: string;
  /** Value and label of each option. */
  options: readonly (readonly [string, string])[];
  onChange: (value: string) => void;
}

/** A labelled list of choices with its hint and its error below. */
export function SelectField({ label, hint, error, value, options, onChange }: SelectFieldProps) {
  const id = useId();
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <select
        id={id}
        value={value}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={`${id}-hint ${id}-error`}
        onChange={(event) => onChange(event.target.value)}
        className={inputClass}
      >
        {options.map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
      <p id={`${id}-hint`} className="text-12 text-ink-3 empty:hidden">
        {hint}
      </p>
      <FieldError id={`${id}-error`} text={error} />
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
