'use client';

import { useRouter } from 'next/navigation';
import { inputClass } from '../_ui/field';

const create = '+new';

interface ProjectPickerProps {
  projects: readonly { readonly slug: string; readonly name: string }[];
  current: string | null;
  mayCreate: boolean;
}

/** Choosing is going: one native select, since there are seldom many projects. */
export function ProjectPicker({ projects, current, mayCreate }: ProjectPickerProps) {
  const router = useRouter();
  return (
    <select
      aria-label="Project"
      value={current ?? ''}
      onChange={(event) =>
        router.push(event.target.value === create ? '/projects/new' : `/p/${event.target.value}`)
      }
      className={`${inputClass} max-w-40 md:max-w-none`}
    >
      {current === null ? <option value="">No project open</option> : null}
      {projects.map((project) => (
        <option key={project.slug} value={project.slug}>
          {project.name}
        </option>
      ))}
      {mayCreate ? <option value={create}>Create a project…</option> : null}
    </select>
  );
}
