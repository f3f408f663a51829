import type { ButtonHTMLAttributes } from 'react';

const variants = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover border-transparent',
  plain: 'bg-surface text-ink border-line-strong/50 hover:bg-hover',
  quiet: 'text-ink-2 hover:bg-hover hover:text-ink border-transparent',
  danger: 'bg-surface text-ink border-loud-line hover:bg-loud',
} as const;

/** The classes of a button, for links that look like one. */
export function buttonClass(variant: keyof typeof variants = 'plain'): string {
  return `${variants[variant]} rounded-4 text-13 inline-flex h-8 shrink-0 items-center justify-center gap-2 border px-3 whitespace-nowrap transition-colors duration-100 disabled:opacity-60 aria-disabled:opacity-60`;
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: keyof typeof variants;
  busy?: boolean;
}

/** A busy button ignores clicks but keeps the focus; a disabled one would lose it. */
export function Button({
  variant = 'plain',
  busy = false,
  type = 'button',
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      className={buttonClass(variant)}
    >
      {children}
    </button>
  );
}
