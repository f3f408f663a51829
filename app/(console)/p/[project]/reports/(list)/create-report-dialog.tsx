'use client';

import { FormDialog } from '@/app/_ui/form-dialog';
import { DayField } from '@/app/_ui/day-field';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Field } from '@/app/_ui/field';
import { reportLimits } from '@/server/reports/input';
import { weekly } from '../schedule-words';
import { CheckField } from './check-field';

interface CreateReportDialogProps {
  project: string;
  takers: number;
  onClose: () => void;
}

const dayMs = 86_400_000;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Creates a report of past days, or of today so far. */
export function CreateReportDialog({ project, takers, onClose }: CreateReportDialogProps) {
  const trpc = useTRPC();
  const router = useRouter();
  const [today] = useState(() => dayOf(Date.now()));
  const [lastDay, setLastDay] = useState(() => dayOf(Date.now() - dayMs));
  const [days, setDays] = useState<string>(String(weekly.days));
  const [sent, setSent] = useState(false);
  const count = /^\d{1,4}$/.test(days.trim()) ? Number(days) : Number.NaN;
  const isCounted = count >= 1 && count <= reportLimits.days;
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(lastDay);
  const createReport = useMutation(
    trpc.reports.make.mutationOptions({
      onSuccess: ({ id }) => {
        announce('Report requested');
        router.push(`/p/${project}/reports/${id}`);
      },
    }),
  );
  const problem = createReport.error ? problemOf(createReport.error) : null;
  return (
    <FormDialog
      title="Create report"
      onClose={onClose}
      action="Create report"
      busy={createReport.isPending}
      disabled={!isCounted || !isDay}
      problem={
        problem !== null && Object.keys(problem.fields).length === 0 ? problem.message : null
      }
      onSubmit={() => {
        if (isCounted && isDay) createReport.mutate({ project, lastDay, days: count, sent });
      }}
    >
      <div className="grid items-start gap-3 sm:grid-cols-2">
        <DayField
          label="Last day"
          max={today}
          value={lastDay}
          hint="In UTC. Today is included up to now."
          error={isDay ? problem?.fields.lastDay : 'A day as YYYY-MM-DD.'}
          onChange={setLastDay}
        />
        <Field
          label="Period, days"
          type="number"
          inputMode="numeric"
          min={1}
          max={reportLimits.days}
          value={days}
          error={isCounted ? problem?.fields.days : `1 to ${reportLimits.days}`}
          onChange={(event) => setDays(event.target.value)}
        />
      </div>
      <CheckField
        label="Send it to destinations for reports"
        hint={takers === 0 ? 'No destination yet: add one under Destinations.' : undefined}
        checked={sent}
        onChange={setSent}
      />
    </FormDialog>
  );
}
