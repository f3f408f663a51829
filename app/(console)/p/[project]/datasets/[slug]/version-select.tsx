import { inputClass } from '@/app/_ui/field';

interface VersionSelectProps {
  name: string;
  /** Newest first; 0 is the empty dataset. */
  versions: readonly number[];
  latest: number;
  value: number;
  onChange: (version: number) => void;
}

export function VersionSelect({ name, versions, latest, value, onChange }: VersionSelectProps) {
  // Only the latest versions are listed, but an address may name an earlier one.
  const all = versions.includes(value) ? versions : [...versions, value].sort((a, b) => b - a);
  return (
    <label className="text-ink-2 flex items-center gap-2">
      <span className="shrink-0">{name}</span>
      <select
        value={value}
        onChange={(event) => onChange(Number(event.target.value))}
        className={`${inputClass} md:w-36`}
      >
        {all.map((version) => (
          <option key={version} value={version}>
            {version === 0 ? 'empty' : `${version}${version === latest ? ' (latest)' : ''}`}
          </option>
        ))}
      </select>
    </label>
  );
}
