import type { PromptDetail } from '@/app/_trpc/outputs';

interface VersionChoiceProps {
  name: string;
  prompt: PromptDetail;
  /** Null: the text in the editor. */
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
    <label className="flex items-center gap-1">
      <span className="text-ink-2">{name}</span>
      <select
        value={value ?? 'editor'}
        onChange={(event) =>
          onChange(event.target.value === 'editor' ? null : Number(event.target.value))
        }
        className="bg-surface text-ink rounded-4 text-13 border-line-strong h-8 max-w-44 border px-2"
      >
        {withEditor ? <option value="editor">the editor</option> : null}
        {prompt.versions.map(({ version }) => (
          <option key={version} value={version}>
            {version === 0 ? 'release' : `version ${version}`}
            {version === prompt.production.version ? ' (production)' : ''}
          </option>
        ))}
      </select>
    </label>
  );
}
