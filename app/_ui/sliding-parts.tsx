'use client';

import { Component, createRef, type ReactNode } from 'react';

const slideMs = 180;

interface SlidingPartsProps {
  children: ReactNode;
}

/** Where each part stands, pixels from the top. */
type Tops = ReadonlyMap<Element, number>;

/**
 * The panels of a page, one below the other, which are drawn again together: when one of them grows
 * or shrinks by that, those below slide to their new place. What moves by a transform is no layout
 * shift. Whoever asked for less motion, or has scrolled, where the browser keeps the place by
 * itself, sees no slide. A class: where parts stood just before they are drawn again is told to no
 * function.
 */
export class SlidingParts extends Component<SlidingPartsProps> {
  private readonly area = createRef<HTMLDivElement>();

  override getSnapshotBeforeUpdate(): Tops {
    return topsIn(this.area.current);
  }

  override componentDidUpdate(_props: SlidingPartsProps, _state: unknown, before: Tops): void {
    if (scrollY > 0 || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    for (const [part, top] of topsIn(this.area.current)) {
      const by = (before.get(part) ?? top) - top;
      if (by !== 0)
        part.animate([{ transform: `translateY(${by}px)` }, { transform: 'none' }], {
          duration: slideMs,
          easing: 'ease-out',
        });
    }
  }

  override render(): ReactNode {
    return (
      <div ref={this.area} className="grid gap-4">
        {this.props.children}
      </div>
    );
  }
}

function topsIn(area: HTMLElement | null): Tops {
  const parts = [...(area?.children ?? [])].filter((part) => part instanceof HTMLElement);
  return new Map(parts.map((part) => [part, part.offsetTop]));
}
