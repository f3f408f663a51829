import { InlineSelect } from '@/app/_ui/field';
import type { PromptDetail } from '@/app/_trpc/outputs';

interface VersionChoiceProps {
  name: string;
  prompt: PromptDetail;
  /** Null means the text in the editor. */
  value: number | null;
  withEditor?: boolean;
  onChange: (version: number | null) => void;
}

/** Selects a version, or the text in the editor. */
export function VersionChoice({
  name,
  prompt,
  value,
  withEditor = false,
  onChange,
}: VersionChoiceProps) {
  return (
    <InlineSelect
      label={name}
      value={value === null ? 'editor' : String(value)}
      options={[
        ...(withEditor ? [['editor', 'the editor'] as const] : []),
        ...prompt.versions.map(
          ({ version }) =>
            [
              String(version),
              `${version === 0 ? 'release' : `version ${version}`}${version === prompt.production.version ? ' (production)' : ''}`,
            ] as const,
        ),
      ]}
      onChange={(chosen) => onChange(chosen === 'editor' ? null : Number(chosen))}
      className="max-w-44"
    />
  );
}
