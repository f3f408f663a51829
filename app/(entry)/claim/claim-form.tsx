'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { slugOf } from '@/app/(console)/slug-of';
import { fieldErrors } from '@/app/field-errors';
import { useTRPC } from '@/app/_trpc/client';
import type { ClaimState } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { Button } from '@/app/_ui/button';
import { Field, FieldError } from '@/app/_ui/field';
import { UseClaim } from '@/server/access/input';
import { signInByPassword } from '../sign-in-by-password';

const empty = { email: '', name: '', password: '', projectName: '', projectSlug: '' };
type Values = typeof empty;

const inputs: readonly {
  name: keyof Values;
  label: string;
  hint?: string;
  type?: string;
  autoComplete: string;
  owner?: true;
  mono?: true;
}[] = [
  { name: 'email', label: 'Email', type: 'email', autoComplete: 'username' },
  { name: 'name', label: 'Your name', autoComplete: 'name' },
  {
    name: 'password',
    label: 'Password',
    hint: 'At least 12 characters.',
    type: 'password',
    autoComplete: 'new-password',
  },
  { name: 'projectName', label: 'First project', autoComplete: 'off', owner: true },
  {
    name: 'projectSlug',
    label: 'Short name',
    hint: 'Used in URLs: lower-case letters, digits and hyphens.',
    autoComplete: 'off',
    owner: true,
    mono: true,
  },
];

export function ClaimForm({ token, claim }: { token: string; claim: ClaimState }) {
  const isOwner = claim.kind === 'owner';
  const [values, setValues] = useState<Values>({ ...empty, email: claim.email ?? '' });
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState<string | null>(null);
  const [leaving, setLeaving] = useState(false);
  const mutation = useMutation(useTRPC().account.claim.mutationOptions());

  const submit = async () => {
    const { projectName, projectSlug, ...account } = values;
    const input = {
      token,
      ...account,
      ...(isOwner && { projectName, projectSlug: projectSlug || slugOf(projectName) }),
    };
    const checked = UseClaim.safeParse(input);
    if (!checked.success) {
      setErrors(fieldErrors(checked.error.issues, input));
      return;
    }
    setErrors({});
    setProblem(null);
    try {
      const { projectSlug: slug } = await mutation.mutateAsync(input);
      setLeaving(true);
      const signedIn = await signInByPassword(values.email, values.password);
      const home = `/p/${slug}`;
      window.location.assign(
        signedIn.ok && !signedIn.needsCode ? home : `/sign-in?next=${encodeURIComponent(home)}`,
      );
    } catch (error) {
      const { message, fields } = problemOf(error);
      setErrors(fields);
      setProblem(Object.keys(fields).length > 0 ? null : message);
    }
  };

  return (
    <>
      <div className="grid gap-1">
        <h1>
          {isOwner ? 'Create the owner account' : `Join ${claim.projectName ?? 'the project'}`}
        </h1>
        <p className="text-ink-2">
          {isOwner
            ? 'This link works once. The owner account can invite everyone else.'
            : `You are invited as ${claim.role ?? 'member'}. This link works once. If you have an account with this address, enter its password; otherwise choose one.`}
        </p>
      </div>
      <form
        className="grid gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {inputs
          .filter((input) => isOwner || !input.owner)
          .map(({ name, label, hint, type = 'text', autoComplete, mono = false }) => (
            <Field
              key={name}
              name={name}
              label={label}
              hint={hint}
              type={type}
              autoComplete={autoComplete}
              mono={mono}
              required
              readOnly={name === 'email' && claim.email !== null}
              placeholder={name === 'projectSlug' ? slugOf(values.projectName) : undefined}
              value={values[name]}
              error={errors[name]}
              onChange={(event) => setValues({ ...values, [name]: event.target.value })}
            />
          ))}
        <FieldError text={problem} />
        <Button type="submit" variant="primary" busy={mutation.isPending || leaving}>
          {isOwner ? 'Create account and project' : 'Join'}
        </Button>
      </form>
    </>
  );
}
