'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useTRPC } from '@/app/_trpc/client';
import type { ImportedMeasures } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { ErrorPanel, Panel, Skeleton } from '@/app/_ui/panel';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { verifierHref } from './addresses';
import { EstimateText } from './estimate-text';
import { MeasureText } from './measure-text';

type Judge = ImportedMeasures['judges'][number];
type Categorical = Exclude<Judge, { form: 'grade' }>;
type Numeric = Extract<Judge, { form: 'grade' }>;

interface ImportedPanelsProps {
  project: string;
  /** Only this judge, with its categories; null means all of them. */
  judge: string | null;
}

/**
 * Verdicts of imported judges on pairs, classes and grades, compared with people. Loaded
 * separately: it may fail without the rest.
 */
export function ImportedPanels({ project, judge }: ImportedPanelsProps) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.calibration.imported.queryOptions({ project, ...(judge !== null && { judge }) }),
  );
  if (data === undefined) {
    if (error === null) return <Skeleton className="h-40" />;
    return (
      <ErrorPanel
        what="The imported verdicts could not be read"
        works="The measures of pass and fail are still valid."
        problem={problemOf(error)}
        onRetry={() => void refetch()}
      />
    );
  }
  // The table above has the pass and fail verdicts of all judges; for a single judge, everything is
  // shown here.
  const categorical = data.judges.filter(
    (each): each is Categorical =>
      each.form !== 'grade' && (judge !== null || each.form === 'category'),
  );
  const graded = data.judges.filter((each): each is Numeric => each.form === 'grade');
  return (
    <>
      {categorical.length === 0 ? null : (
        <Panel title="Judges of categories">
          <CategoryTable project={project} judges={categorical} linked={judge === null} />
        </Panel>
      )}
      {judge === null
        ? null
        : categorical.map((each) => (
            <ClassPanel key={`${each.form} ${each.dimension}`} judge={each} />
          ))}
      {graded.length === 0 ? null : (
        <Panel title="Judges of grades">
          <GradeTable project={project} judges={graded} linked={judge === null} />
        </Panel>
      )}
      {data.people.length === 0 ? null : <PeoplePanel people={data.people} />}
    </>
  );
}

interface TableProps<J> {
  project: string;
  judges: readonly J[];
  /** Whether names link to the judge's own page. */
  linked: boolean;
}

function CategoryTable({ project, judges, linked }: TableProps<Categorical>) {
  return (
    <DataTable
      label="Judges of categories"
      heads={[
        'Judge',
        'About',
        'Accuracy',
        'Right over all orders',
        'Order agreement',
        'Kappa',
        'Macro F1',
        'No verdict',
      ]}
    >
      {judges.map((each) => (
        <Row key={`${each.judge} ${each.form} ${each.dimension}`}>
          <JudgeCell project={project} judge={each} linked={linked} />
          <Cell>
            <About judge={each} />
          </Cell>
          <Cell>
            <EstimateText stacked estimate={each.accuracy} scale="share" of="subjects" />
          </Cell>
          <Cell>
            <MeasureText
              stacked
              name="right over all orders"
              measure={each.together}
              numeratorHref={null}
              denominatorHref={null}
            />
          </Cell>
          <Cell>
            <MeasureText
              stacked
              name="order agreement"
              measure={each.orderAgreement}
              numeratorHref={null}
              denominatorHref={null}
            />
          </Cell>
          <Cell>
            <EstimateText stacked estimate={each.kappa} scale="signed" />
          </Cell>
          <Cell>
            {each.macroF1 === null ? (
              <span className="text-ink-3">no data</span>
            ) : (
              each.macroF1.toFixed(3)
            )}
          </Cell>
          <Cell>
            <NoVerdict judge={each} />
          </Cell>
        </Row>
      ))}
    </DataTable>
  );
}

function ClassPanel({ judge: { classes, dimension } }: { judge: Categorical }) {
  const about = dimension === null ? '' : ` about ${plainText(dimension)}`;
  return (
    <Panel title={`By category${about}`}>
      <DataTable
        label={`By category${about}`}
        heads={['Label', 'Predicted', 'Actual', 'Precision', 'Recall', 'F1']}
      >
        {classes.map(({ word, said, isTrue, precision, recall, f1 }) => (
          <Row key={word}>
            <NameCell>
              <VisibleText text={word} />
            </NameCell>
            <Cell>{said.toLocaleString('en')}</Cell>
            <Cell>{isTrue.toLocaleString('en')}</Cell>
            <Cell>
              <MeasureText
                stacked
                name={`precision of ${plainText(word)}`}
                measure={precision}
                numeratorHref={null}
                denominatorHref={null}
              />
            </Cell>
            <Cell>
              <MeasureText
                stacked
                name={`recall of ${plainText(word)}`}
                measure={recall}
                numeratorHref={null}
                denominatorHref={null}
              />
            </Cell>
            <Cell>{f1 === null ? <span className="text-ink-3">no data</span> : f1.toFixed(3)}</Cell>
          </Row>
        ))}
      </DataTable>
    </Panel>
  );
}

function GradeTable({ project, judges, linked }: TableProps<Numeric>) {
  return (
    <DataTable
      label="Judges of grades"
      heads={[
        'Judge',
        'About',
        'Kendall tau-b',
        'Pearson',
        'Spearman',
        'Equal',
        'At most 1 off',
        'No verdict',
      ]}
    >
      {judges.map((each) => (
        <Row key={`${each.judge} ${each.dimension}`}>
          <JudgeCell project={project} judge={each} linked={linked} />
          <Cell>
            <About judge={each} />
          </Cell>
          {[each.kendall, each.pearson, each.spearman].map((estimate, index) => (
            <Cell key={index}>
              <EstimateText stacked estimate={estimate} scale="signed" of="pairs" />
            </Cell>
          ))}
          <Cell>
            <MeasureText
              stacked
              name="equal grades"
              measure={each.exact}
              numeratorHref={null}
              denominatorHref={null}
            />
          </Cell>
          <Cell>
            <MeasureText
              stacked
              name="grades at most 1 off"
              measure={each.within1}
              numeratorHref={null}
              denominatorHref={null}
            />
          </Cell>
          <Cell>
            <NoVerdict judge={each} />
          </Cell>
        </Row>
      ))}
    </DataTable>
  );
}

function JudgeCell({
  project,
  judge: { judge },
  linked,
}: {
  project: string;
  judge: Judge;
  linked: boolean;
}) {
  const name = (
    <span className="text-12 font-mono font-semibold">
      <VisibleText text={judge} />
    </span>
  );
  return (
    <NameCell>
      {linked ? (
        <Link
          href={verifierHref({ project, verifier: judge, origin: 'imported' }, 0)}
          title={plainText(judge)}
          className="underline"
        >
          {name}
        </Link>
      ) : (
        name
      )}
    </NameCell>
  );
}

/** The judged dimension, and the number of items with a known label. */
function About({ judge: { dimension, labelled, measured, items } }: { judge: Judge }) {
  return (
    <span className="inline-grid">
      <Dimension name={dimension} />
      <span className="text-12 text-ink-2">
        {labelled.toLocaleString('en')} of {items.toLocaleString('en')} labelled
        {items < measured ? `; the latest of ${measured.toLocaleString('en')}` : ''}
      </span>
    </span>
  );
}

function NoVerdict({ judge: { noVerdict } }: { judge: Judge }) {
  return (
    <span className={noVerdict === 0 ? 'text-ink-3' : ''}>{noVerdict.toLocaleString('en')}</span>
  );
}

/** The dimension that judges and people rated; without a name it was the work as a whole. */
function Dimension({ name }: { name: string | null }) {
  return name === null ? <span className="text-ink-3">overall</span> : <VisibleText text={name} />;
}

const forms: Record<ImportedMeasures['people'][number]['form'], string> = {
  pass_fail: 'pass or fail',
  category: 'by category',
  grade: 'by grade',
};

/** Agreement between people: the ceiling for the judges. */
function PeoplePanel({ people }: Pick<ImportedMeasures, 'people'>) {
  return (
    <Panel title="Agreement between people">
      <DataTable
        label="Agreement between people"
        heads={['About', 'Items', 'People', 'Alpha (Krippendorff)', 'Kappa of pairs of people']}
      >
        {people.map(({ dimension, form, items, raters, alpha, pairs }) => (
          <Row key={`${dimension} ${form}`}>
            <NameCell>
              <span className="inline-grid">
                <Dimension name={dimension} />
                <span className="text-12 text-ink-2">{forms[form]}</span>
              </span>
            </NameCell>
            <Cell>{items.toLocaleString('en')}</Cell>
            <Cell>{raters.toLocaleString('en')}</Cell>
            <Cell>
              <EstimateText estimate={alpha} scale="signed" of="items" />
            </Cell>
            <Cell>
              <span className="inline-grid">
                {pairs.slice(0, 6).map(({ one, other, kappa }) => (
                  <span key={`${one} ${other}`}>
                    <VisibleText text={one} /> and <VisibleText text={other} />:{' '}
                    <EstimateText estimate={kappa} scale="signed" />
                  </span>
                ))}
                {pairs.length > 6 ? (
                  <span className="text-12 text-ink-3">and {pairs.length - 6} more pairs</span>
                ) : null}
              </span>
            </Cell>
          </Row>
        ))}
      </DataTable>
    </Panel>
  );
}
