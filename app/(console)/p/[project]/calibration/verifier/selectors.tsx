import { Select, type SelectOption } from '@/app/_ui/select';
import type { CalibrationReport } from '@/app/_trpc/outputs';
import { Choice } from '@/app/_ui/filter-fields';
import { plainText } from '@/app/_ui/visible-text';
import { SliceField } from '@/server/measures/input';
import { readVerifierName } from '@/server/domain';
import { type About, inVersion, sliceName } from '../addresses';

interface SelectorsProps {
  about: About;
  judges: readonly string[];
  /** Null while loading; the current choice is shown even then. */
  report: Pick<CalibrationReport, 'versions' | 'policies' | 'slices'> | null;
  onChange: (
    change: { [K in 'verifier' | 'judge' | 'policy' | 'by' | 'of']?: About[K] | null },
  ) => void;
}

/** Selects the labels and verdicts of the page: version, policy, judge, slice. */
export function Selectors({ about, judges, report, onChange }: SelectorsProps) {
  const { version } = readVerifierName(about.verifier);
  const { judge = null, policy = null, by = null, of = null } = about;
  const versions = (report?.versions ?? []).map(
    (each) => [String(each.version), `version ${each.version}, ${labels(each.labels)}`] as const,
  );
  const policies = (report?.policies ?? []).map(
    (each) => [String(each.policy), `${policyText(each.policy)}, ${labels(each.labels)}`] as const,
  );
  return (
    <>
      <OptionalSelect
        name="Version"
        any="All versions"
        value={version === null ? null : String(version)}
        options={versions}
        unknown={(value) => `version ${value}`}
        onChange={(value) =>
          onChange({ verifier: inVersion(about.verifier, value === null ? null : Number(value)) })
        }
      />
      <OptionalSelect
        name="Policy"
        any="Any policy"
        value={policy === null ? null : String(policy)}
        options={policies}
        unknown={(value) => policyText(Number(value))}
        onChange={(value) => onChange({ policy: value === null ? null : Number(value) })}
      />
      {judges.length === 0 && judge === null ? null : (
        <Choice
          name="Judge"
          value={judge}
          values={judges}
          onChange={(each) => onChange({ judge: each })}
        />
      )}
      <SliceSelect
        by={by}
        of={of}
        groups={report?.slices ?? []}
        onChange={(slice) => onChange(slice)}
      />
    </>
  );
}

const labels = (count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'label' : 'labels'}`;
const policyText = (policy: number): string => (policy === 0 ? 'no policy' : `policy ${policy}`);

interface OptionalSelectProps {
  name: string;
  any: string;
  value: string | null;
  options: readonly SelectOption[];
  /** The label of a value from an old URL that is no longer an option. */
  unknown: (value: string) => string;
  onChange: (value: string | null) => void;
}

/** Renders nothing when there are no options. */
function OptionalSelect({ name, any, value, options, unknown, onChange }: OptionalSelectProps) {
  if (value === null && options.length < 2) return null;
  const all =
    value === null || options.some(([each]) => each === value)
      ? options
      : [[value, unknown(value)] as const, ...options];
  return (
    <Select
      label={name}
      value={value ?? ''}
      options={[['', any], ...all]}
      onChange={(chosen) => onChange(chosen === '' ? null : chosen)}
      className="md:w-44"
    />
  );
}

interface SliceSelectProps {
  by: SliceField | null;
  of: string | null;
  groups: CalibrationReport['slices'];
  onChange: (slice: { by: SliceField | null; of: string | null }) => void;
}

function SliceSelect({ by, of, groups, onChange }: SliceSelectProps) {
  const values = new Map(
    groups.map((group) => [group.by, group.rows.map(({ slice }) => slice.value)]),
  );
  if (by !== null && of !== null && values.get(by)?.includes(of) !== true)
    values.set(by, [of, ...(values.get(by) ?? [])]);
  const fields = SliceField.options.filter((field) => (values.get(field) ?? []).length > 0);
  if (fields.length === 0) return null;
  // A value may contain any character: the field is before the first colon, and contains none.
  return (
    <Select
      label="Slice"
      value={by === null || of === null ? '' : `${by}:${of}`}
      options={[['', 'All slices']]}
      groups={fields.map((field) => ({
        name: sliceName[field],
        options: (values.get(field) ?? []).map(
          (value) => [`${field}:${value}`, value === '' ? 'unknown' : plainText(value)] as const,
        ),
      }))}
      onChange={(chosen) => {
        const [field, ...rest] = String(chosen).split(':');
        const read = SliceField.safeParse(field);
        onChange(read.success ? { by: read.data, of: rest.join(':') } : { by: null, of: null });
      }}
      className="md:w-44"
    />
  );
}
