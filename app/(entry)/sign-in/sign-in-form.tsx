'use client';

import { useState } from 'react';
import { Button } from '@/app/_ui/button';
import { Field, FieldError } from '@/app/_ui/field';
import { CodeForm } from './code-form';
import { signInByPassword } from '../sign-in-by-password';

/** `next` is already known to be a path of this site. */
export function SignInForm({ next }: { next: string }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [needsCode, setNeedsCode] = useState(false);
  const submit = async () => {
    setBusy(true);
    setProblem(null);
    const result = await signInByPassword(email, password);
    if (result.ok && !result.needsCode) {
      window.location.assign(next);
      return;
    }
    if (result.ok) setNeedsCode(true);
    else setProblem(result.message);
    setPassword('');
    setBusy(false);
  };
  if (needsCode)
    return (
      <CodeForm
        next={next}
        onExpired={(message) => {
          setProblem(message);
          setNeedsCode(false);
        }}
      />
    );
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        required
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Field
        label="Password"
        type="password"
        name="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <FieldError text={problem} />
      <Button type="submit" variant="primary" busy={busy}>
        Sign in
      </Button>
    </form>
  );
}
