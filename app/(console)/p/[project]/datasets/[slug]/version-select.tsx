import { InlineSelect } from '@/app/_ui/field';

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
    <InlineSelect
      label={name}
      value={String(value)}
      options={all.map(
        (version) =>
          [
            String(version),
            version === 0 ? 'empty' : `${version}${version === latest ? ' (latest)' : ''}`,
          ] as const,
      )}
      onChange={(version) => onChange(Number(version))}
      className="md:w-36"
    />
  );
}
