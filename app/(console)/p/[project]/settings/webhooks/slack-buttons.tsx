import { CopyText } from '@/app/_ui/copy-text';
import { Field } from '@/app/_ui/field';

interface SigningSecretFieldProps {
  hint: string;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** The signing secret of a Slack app, with which messages have buttons. */
export function SigningSecretField({ hint, value, error, onChange }: SigningSecretFieldProps) {
  return (
    <Field
      label="Signing secret"
      hint={hint}
      mono
      autoComplete="off"
      value={value}
      error={error}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** The address to enter in the settings of the Slack app. */
export function RequestUrl({ url }: { url: string }) {
  return (
    <div className="grid gap-1">
      <p>Enter this Request URL in your Slack app, under Interactivity &amp; Shortcuts.</p>
      <CopyText label="Request URL" text={url} />
    </div>
  );
}
