'use client';

import { useState } from 'react';
import { Button } from '@/app/_ui/button';
import { Field } from '@/app/_ui/field';
import { postSignIn } from '../post-sign-in';

interface CodeFormProps {
  /** A path of this site. */
  next: string;
  /** The password has to be entered again. */
  onExpired: (message: string) => void;
}

/** The second step: the code of an authenticator app, or a backup code. */
export function CodeForm({ next, onExpired }: CodeFormProps) {
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    setBusy(true);
    setProblem(null);
    const answer = await postSignIn('/api/auth/second-factor', { code }, 'code');
    if (answer.ok) {
      window.location.assign(next);
      return;
    }
    if (answer.status === 401) {
      onExpired(answer.message);
      return;
    }
    setProblem(answer.message);
    setCode('');
    setBusy(false);
  };
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field
        label="Code"
        hint="The six digits from your authenticator app, or a backup code."
        name="code"
        autoComplete="one-time-code"
        required
        mono
        ref={focusOnce}
        value={code}
        error={problem}
        onChange={(event) => setCode(event.target.value)}
      />
      <Button type="submit" variant="primary" busy={busy}>
        Sign in
      </Button>
    </form>
  );
}

/** It replaces the form that had the focus. */
const focusOnce = (input: HTMLInputElement | null) => input?.focus();
