'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '@/app/field-errors';
import { useTRPC } from '@/app/_trpc/client';
import { problemOf } from '@/app/_trpc/problem';
import { Button } from '@/app/_ui/button';
import { Field, FieldError } from '@/app/_ui/field';
import { ResetPassword } from '@/server/access/input';
import { signInByPassword } from '../sign-in-by-password';

/** Sets a new password by a one-time link, and signs in with it. */
export function ResetForm({ token, email }: { token: string; email: string }) {
  const [password, setPassword] = useState('');
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState<string | null>(null);
  const [leaving, setLeaving] = useState(false);
  const reset = useMutation(useTRPC().account.resetPassword.mutationOptions());
  const submit = async () => {
    const input = { token, password };
    const checked = ResetPassword.safeParse(input);
    setErrors(checked.success ? {} : fieldErrors(checked.error.issues, input));
    if (!checked.success) return;
    setProblem(null);
    try {
      await reset.mutateAsync(input);
      setLeaving(true);
      const signedIn = await signInByPassword(email, password);
      window.location.assign(signedIn.ok && !signedIn.needsCode ? '/' : '/sign-in');
    } catch (error) {
      setProblem(problemOf(error).message);
    }
  };
  return (
    <>
      <div className="grid gap-1">
        <h1>Set a new password</h1>
        <p className="text-ink-2">This link works once. All sessions of the account end.</p>
      </div>
      <form
        className="grid gap-4"
        noValidate
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
          readOnly
          value={email}
        />
        <Field
          label="New password"
          hint="At least 12 characters."
          type="password"
          autoComplete="new-password"
          value={password}
          error={errors.password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <FieldError text={problem} />
        <Button type="submit" variant="primary" busy={reset.isPending || leaving}>
          Set password
        </Button>
      </form>
    </>
  );
}
