'use client';

import { useState } from 'react';
import { encode } from 'uqr';
import { postSignIn } from '@/app/(entry)/post-sign-in';
import { FormDialog } from '@/app/_ui/form-dialog';
import { CopyText } from '@/app/_ui/copy-text';
import { Field } from '@/app/_ui/field';
import { PasswordDialog } from './password-dialog';

interface SetUpDialogProps {
  email: string;
  /** With the backup codes, shown once. */
  onDone: (backupCodes: readonly string[]) => void;
  onClose: () => void;
}

interface Secret {
  readonly uri: string;
  readonly backupCodes: readonly string[];
}

/** The password, then the secret for the app, which is active after its first code. */
export function SetUpDialog({ email, onDone, onClose }: SetUpDialogProps) {
  const [secret, setSecret] = useState<Secret | null>(null);
  if (secret === null)
    return (
      <PasswordDialog
        title="Set up two-step sign-in"
        text="You need an authenticator app that shows codes of six digits."
        action="Continue"
        path="/api/auth/second-factor/set-up"
        email={email}
        onClose={onClose}
        onDone={({ uri, backupCodes }) =>
          setSecret({
            uri: String(uri),
            backupCodes: Array.isArray(backupCodes) ? backupCodes.map(String) : [],
          })
        }
      />
    );
  return <FirstCode secret={secret} onDone={onDone} onClose={onClose} />;
}

function FirstCode({
  secret: { uri, backupCodes },
  onDone,
  onClose,
}: Omit<SetUpDialogProps, 'email'> & { secret: Secret }) {
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    setBusy(true);
    setProblem(null);
    const answer = await postSignIn('/api/auth/second-factor/confirm', { code }, 'code');
    if (answer.ok) {
      onDone(backupCodes);
      return;
    }
    setProblem(answer.message);
    setBusy(false);
  };
  return (
    <FormDialog
      title="Add Assay to your app"
      onClose={onClose}
      action="Turn on"
      busy={busy}
      onSubmit={() => void submit()}
    >
      <p className="text-ink-2">Scan the QR code with the app, or enter the secret.</p>
      <QrCode text={uri} />
      <CopyText label="Secret" text={new URL(uri).searchParams.get('secret') ?? ''} />
      <Field
        label="Code"
        hint="The six digits that the app shows now. Your other sessions end."
        inputMode="numeric"
        autoComplete="one-time-code"
        mono
        value={code}
        error={problem}
        onChange={(event) => setCode(event.target.value)}
      />
    </FormDialog>
  );
}

/** Dark on light in both themes: not every app reads the reverse. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 2 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      role="img"
      aria-label="QR code of the secret"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-48 justify-self-center"
    >
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  );
}
