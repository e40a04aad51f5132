// Measures how far an element is scrolled and how high it is, for lists that draw only their visible rows.
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

interface Seen {
  readonly top: number;
  readonly height: number;
  readonly width: number;
}

interface UsedSight {
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly seen: Seen;
}

const seenOf = ({ scrollTop: top, clientHeight: height, clientWidth: width }: HTMLElement): Seen => ({
  top,
  height,
  width,
});

export const useSight = (): UsedSight => {
  const ref = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState<Seen>({ top: 0, height: 600, width: 800 });
  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const look = (): void => setSeen(seenOf(element));
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);
  return { ref, seen };
};
