'use client';

import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { slugOf } from '@/app/(console)/slug-of';
import { fieldErrors } from '@/app/field-errors';
import { useTRPC } from '@/app/_trpc/client';
import { problemOf } from '@/app/_trpc/problem';
import { Button } from '@/app/_ui/button';
import { Field, FieldError } from '@/app/_ui/field';
import { CreateProject } from '@/server/access/input';

export function NewProjectForm() {
  const router = useRouter();
  const [name, setName] = useState('');
  const [slug, setSlug] = useState('');
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState<string | null>(null);
  const mutation = useMutation(useTRPC().projects.create.mutationOptions());
  const submit = async () => {
    const input = { name, slug: slug || slugOf(name) };
    const checked = CreateProject.safeParse(input);
    setProblem(null);
    if (!checked.success) {
      setErrors(fieldErrors(checked.error.issues, input));
      return;
    }
    setErrors({});
    try {
      const created = await mutation.mutateAsync(input);
      router.push(`/p/${created.slug}`);
      router.refresh();
    } catch (error) {
      const { message, fields } = problemOf(error);
      setErrors(fields);
      setProblem(Object.keys(fields).length > 0 ? null : message);
    }
  };
  return (
    <form
      className="grid max-w-[400px] gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field
        label="Name"
        name="name"
        autoComplete="off"
        required
        value={name}
        error={errors.name}
        onChange={(event) => setName(event.target.value)}
      />
      <Field
        label="Short name"
        name="slug"
        mono
        autoComplete="off"
        hint="Used in URLs: lower-case letters, digits and hyphens."
        placeholder={slugOf(name)}
        value={slug}
        error={errors.slug}
        onChange={(event) => setSlug(event.target.value)}
      />
      <FieldError text={problem} />
      <div>
        <Button type="submit" variant="primary" busy={mutation.isPending}>
          Create project
        </Button>
      </div>
    </form>
  );
}
