import type { ReactNode } from 'react';
import type { SpanRow } from '@/app/_trpc/outputs';

type Role = SpanRow['role'];

interface RoleStyle {
  readonly word: string;
  readonly shape: ReactNode;
  /**
   * Full class names, since Tailwind reads names from the source. No verdict colours: a role is not
   * a judgement.
   */
  readonly barClass: string;
  readonly textClass: string;
}

const model = { barClass: 'bg-series-1', textClass: 'text-series-1' };
const tool = { barClass: 'bg-series-2', textClass: 'text-series-2' };
const otherStyle = { barClass: 'bg-series-3', textClass: 'text-ink-3' };

/** The only place that defines the style of a span's role. */
const roleStyles: Record<Role, RoleStyle> = {
  llm: {
    word: 'model',
    shape: <path d="M8 1.8 9.6 6.4 14.2 8 9.6 9.6 8 14.2 6.4 9.6 1.8 8 6.4 6.4z" />,
    ...model,
  },
  tool: {
    word: 'tool',
    shape: (
      <path d="M10.4 2.2a3.6 3.6 0 0 0-3.3 5L2.4 12l1.7 1.7 4.7-4.8a3.6 3.6 0 0 0 4.9-4.2l-2.2 2.1-1.9-.5-.4-1.8z" />
    ),
    ...tool,
  },
  agent: {
    word: 'agent',
    shape: <path d="M3 6.2h10v7H3zM8 6.2V3m-2 6.2v1m4-1v1M8 2.2v.3" />,
    ...otherStyle,
  },
  chain: {
    word: 'chain',
    shape: (
      <path d="M6.8 9.2 9.2 6.8M5 7.4 3.4 9a2.5 2.5 0 0 0 3.6 3.6L8.6 11m-1.2-6L9 3.4A2.5 2.5 0 0 1 12.6 7L11 8.6" />
    ),
    ...otherStyle,
  },
  retriever: {
    word: 'retriever',
    shape: <path d="M7 2.8a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 0 0 0-8.4zm3 7.2 3.4 3.4" />,
    ...tool,
  },
  embedding: {
    word: 'embedding',
    shape: <path d="M3 3v10h10M6 10V8m3 2V5m3 5V7" />,
    ...otherStyle,
  },
  evaluator: {
    word: 'evaluator',
    shape: <path d="M2.6 4.4h4m-4 4h4m-4 4h4m2.2-7.6 1.2 1.2 2.6-2.8M8.8 11l1.2 1.2 2.6-2.8" />,
    ...otherStyle,
  },
  other: { word: 'span', shape: <path d="M3 8h10" />, ...otherStyle },
};

export function roleWord(role: Role): string {
  return roleStyles[role].word;
}

export function barClass(role: Role): string {
  return roleStyles[role].barClass;
}

export function RoleIcon({ role }: { role: Role }) {
  const { shape, textClass } = roleStyles[role];
  return (
    <svg
      width="14"
      height="14"
      viewBox="0 0 16 16"
      aria-hidden="true"
      className={`shrink-0 ${textClass}`}
    >
      <g
        fill="none"
        stroke="currentColor"
        strokeWidth="1.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        {shape}
      </g>
    </svg>
  );
}

/** A span in error: reported by the program itself, and not a verdict. */
export function ErrorIcon() {
  return (
    <svg
      width="14"
      height="14"
      viewBox="0 0 16 16"
      aria-hidden="true"
      className="text-ink shrink-0"
    >
      <path
        d="M5 1.5h6L14.5 5v6L11 14.5H5L1.5 11V5zM8 4.8v4m0 2.3v.1"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
      />
    </svg>
  );
}
