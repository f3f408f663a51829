'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '@/app/field-errors';
import { useTRPC } from '@/app/_trpc/client';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Field, FieldError } from '@/app/_ui/field';
import { ChangePassword } from '@/server/access/input';

const empty = { currentPassword: '', newPassword: '' };

/** Changes the password of the signed-in account. */
export function PasswordForm({ email }: { email: string }) {
  const [values, setValues] = useState(empty);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const change = useMutation(
    useTRPC().account.changePassword.mutationOptions({
      onSuccess: () => {
        announce('Password changed');
        setValues(empty);
      },
      onError: (error) => setErrors(problemOf(error).fields),
    }),
  );
  const submit = () => {
    const checked = ChangePassword.safeParse(values);
    setErrors(checked.success ? {} : fieldErrors(checked.error.issues, values));
    if (checked.success) change.mutate(values);
  };
  const problem =
    change.error && Object.keys(errors).length === 0 ? problemOf(change.error).message : null;
  return (
    <form
      aria-label="Change password"
      className="grid max-w-96 gap-4 p-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <Field
        label="Current password"
        type="password"
        autoComplete="current-password"
        value={values.currentPassword}
        error={errors.currentPassword}
        onChange={(event) => setValues({ ...values, currentPassword: event.target.value })}
      />
      <Field
        label="New password"
        hint="At least 12 characters. This ends all other sessions of this account."
        type="password"
        autoComplete="new-password"
        value={values.newPassword}
        error={errors.newPassword}
        onChange={(event) => setValues({ ...values, newPassword: event.target.value })}
      />
      <FieldError text={problem} />
      {change.isSuccess ? <p>Password changed. Other sessions have ended.</p> : null}
      <div>
        <Button type="submit" variant="primary" busy={change.isPending}>
          Change password
        </Button>
      </div>
    </form>
  );
}
