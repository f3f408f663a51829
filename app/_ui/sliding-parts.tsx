'use client';

import { Component, createRef, type ReactNode } from 'react';

const slideMs = 180;

interface SlidingPartsProps {
  children: ReactNode;
}

/** Position of each part, in pixels from the top. */
type Tops = ReadonlyMap<Element, number>;

/**
 * The panels of a page, one below the other: when one of them grows or shrinks, those below slide
 * to their new position. A movement by transform is not a layout shift. There is no slide with
 * reduced motion, or after scrolling, where the browser anchors by itself. A class component, since
 * function components have no hook for the positions just before an update.
 */
export class SlidingParts extends Component<SlidingPartsProps> {
  private readonly area = createRef<HTMLDivElement>();

  override getSnapshotBeforeUpdate(): Tops {
    return positionsIn(this.area.current);
  }

  override componentDidUpdate(_props: SlidingPartsProps, _state: unknown, before: Tops): void {
    if (scrollY > 0 || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    for (const [part, top] of positionsIn(this.area.current)) {
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

function positionsIn(area: HTMLElement | null): Tops {
  const parts = [...(area?.children ?? [])].filter((part) => part instanceof HTMLElement);
  return new Map(parts.map((part) => [part, part.offsetTop]));
}
