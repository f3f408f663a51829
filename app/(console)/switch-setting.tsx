/** The meaning of a setting, and its origin if that is of interest. */
export function SettingHint({ meaning, source = '' }: { meaning: string; source?: string }) {
  return (
    <>
      {meaning} <span className="text-ink-2">{source}</span>
    </>
  );
}

interface SwitchSettingProps {
  label: string;
  meaning: string;
  source?: string;
  on: boolean;
  locked: boolean;
  onChange: (on: boolean) => void;
}

export function SwitchSetting({
  label,
  meaning,
  source = '',
  on,
  locked,
  onChange,
}: SwitchSettingProps) {
  return (
    <label className="grid grid-cols-[16px_minmax(0,1fr)] gap-x-2">
      <input
        type="checkbox"
        className="accent-accent mt-0.5 size-4"
        checked={on}
        disabled={locked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className="font-semibold">{label}</span>
      <span />
      <span className="text-12 text-ink-3">
        <SettingHint meaning={meaning} source={source} />
      </span>
    </label>
  );
}
