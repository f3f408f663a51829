'use client';

import { useState } from 'react';
import { postSignIn } from '@/app/(entry)/post-sign-in';
import { FormDialog } from '@/app/_ui/form-dialog';
import { Field } from '@/app/_ui/field';

interface PasswordDialogProps {
  title: string;
  text: string;
  /** The verb of the button. */
  action: string;
  /** The route that takes the password. */
  path: string;
  email: string;
  onDone: (body: Readonly<Record<string, unknown>>) => void;
  onClose: () => void;
}

/** Requests the account's password before the sign-in methods can be changed. */
export function PasswordDialog({
  title,
  text,
  action,
  path,
  email,
  onDone,
  onClose,
}: PasswordDialogProps) {
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    setBusy(true);
    setProblem(null);
    const answer = await postSignIn(path, { password }, 'password');
    if (answer.ok) {
      onDone(answer.body);
      return;
    }
    setProblem(answer.message);
    setBusy(false);
  };
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      action={action}
      busy={busy}
      onSubmit={() => void submit()}
    >
      <p className="text-ink-2">{text}</p>
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <Field
        label="Password"
        type="password"
        autoComplete="current-password"
        value={password}
        error={problem}
        onChange={(event) => setPassword(event.target.value)}
      />
    </FormDialog>
  );
}
