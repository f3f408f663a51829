'use client';

import { Fragment, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { renderedRows, renderedWholeMax, type ListEnd, nearRows } from './row-ranges';
import { useSlideIn } from './use-slide-in';

interface RowWindowProps<Item> {
  rows: readonly Item[];
  idOf: (row: Item) => string;
  /**
   * The id of the row that is always rendered, regardless of its position, since the focus returns
   * to it.
   */
  startAt?: (() => string | null) | undefined;
  end?: ListEnd | undefined;
  /**
   * One `tr`; `place` is its `aria-rowindex`, undefined when all rows are rendered and the browser
   * counts them.
   */
  children: (row: Item, place: number | undefined) => ReactNode;
}

/** Height of a row before the first was measured. */
const defaultRowHeight = 32;
/** More rows are requested this many rows before the end: several screens. */
const aheadRows = 120;

/**
 * The body of a table that may have 100,000 rows, all of one height: only those near the visible
 * part are rendered, the rest is empty space of the same height. Rows that scroll into view are
 * rendered before the browser paints.
 */
export function RowWindow<Item>({ rows, idOf, startAt, end, children }: RowWindowProps<Item>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [near, setNear] = useState({ from: 0, to: 64 });
  const [rowHeight, setRowHeight] = useState(defaultRowHeight);
  const count = rows.length;
  const isLong = count > renderedWholeMax;
  // A list is long only in the browser: the server renders its first page.
  const [focusedId, setFocusedId] = useState(() => (isLong ? (startAt?.() ?? null) : null));
  const onNear = end?.hasMore === true ? end.onNear : undefined;
  const hasScrolled = useRef(false);
  const measure = useRef(() => {});
  const trackFocus = useRef((_target: EventTarget | null) => {});

  useLayoutEffect(() => {
    measure.current = () => {
      const rect = body.current?.getBoundingClientRect();
      if (rect === undefined) return;
      const height = window.innerHeight;
      if (hasScrolled.current && (rect.bottom - height) / rowHeight < aheadRows) onNear?.();
      if (!isLong) return;
      const next = nearRows(count, { top: rect.top, height, rowHeight });
      setNear((known) => (known.from === next.from && known.to === next.to ? known : next));
    };
    // Rows that arrived or were measured may be visible already.
    measure.current();
  }, [count, isLong, rowHeight, onNear]);

  useLayoutEffect(() => {
    const [first, second] = body.current?.querySelectorAll('tr[aria-rowindex]') ?? [];
    if (
      !first ||
      !second ||
      Number(second.getAttribute('aria-rowindex')) !==
        Number(first.getAttribute('aria-rowindex')) + 1
    )
      return;
    const measured = second.getBoundingClientRect().top - first.getBoundingClientRect().top;
    if (measured > 0) setRowHeight(measured);
  }, [isLong, near]);

  useEffect(() => {
    trackFocus.current = (target) => {
      const place =
        target instanceof Element ? target.closest('tr')?.getAttribute('aria-rowindex') : null;
      const row = place ? rows[Number(place) - 2] : undefined;
      setFocusedId(row === undefined ? null : idOf(row));
    };
  });

  useEffect(() => {
    const area = body.current;
    const onFocusIn = (event: FocusEvent) => trackFocus.current(event.target);
    // `onFocusIn` handles a move of the focus to another row.
    const onFocusOut = (event: FocusEvent) => {
      if (!(event.relatedTarget instanceof Node && area?.contains(event.relatedTarget)))
        trackFocus.current(null);
    };
    const onScroll = () => {
      hasScrolled.current = true;
      flushSync(() => measure.current());
    };
    const onResize = () => measure.current();
    // In the capturing phase, so that scrolling of the page or any part is noticed.
    window.addEventListener('scroll', onScroll, { passive: true, capture: true });
    window.addEventListener('resize', onResize);
    area?.addEventListener('focusin', onFocusIn);
    area?.addEventListener('focusout', onFocusOut);
    return () => {
      area?.removeEventListener('focusin', onFocusIn);
      area?.removeEventListener('focusout', onFocusOut);
      window.removeEventListener('scroll', onScroll, { capture: true });
      window.removeEventListener('resize', onResize);
    };
  }, []);

  // A list becomes long by scrolling, and a row may already have the focus.
  useEffect(() => {
    if (isLong && body.current?.contains(document.activeElement) === true)
      trackFocus.current(document.activeElement);
  }, [isLong]);

  const firstIds = rows.slice(0, renderedWholeMax).map(idOf);
  useSlideIn(body, firstIds);

  const focusedIndex =
    isLong && focusedId !== null ? rows.findIndex((row) => idOf(row) === focusedId) : -1;
  const rendered = renderedRows(count, near, focusedIndex === -1 ? null : focusedIndex);
  return (
    <tbody ref={body}>
      {/* Siblings in one list, so that a row keeps its element and focus. */}
      {rendered.flatMap(({ from, to }, at) => [
        <Space
          key={`space ${at}`}
          rows={from - (rendered[at - 1]?.to ?? 0)}
          rowHeight={rowHeight}
        />,
        ...rows
          .slice(from, to)
          .map((row, index) => (
            <Fragment key={idOf(row)}>
              {children(row, isLong ? from + index + 2 : undefined)}
            </Fragment>
          )),
      ])}
      <Space rows={count - (rendered.at(-1)?.to ?? 0)} rowHeight={rowHeight} />
    </tbody>
  );
}

function Space({ rows, rowHeight }: { rows: number; rowHeight: number }) {
  if (rows <= 0) return null;
  return (
    <tr aria-hidden="true" style={{ height: rows * rowHeight }}>
      <td />
    </tr>
  );
}
