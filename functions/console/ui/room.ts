import { useEffect, useState } from 'preact/hooks';

/** Below these widths there is no room for lanes, and none for two columns. */
const LIMITS = { lanes: 640, columns: 1024 } as const;

/** Whether there is room for it, as the window is now. */
export function useRoomFor(what: keyof typeof LIMITS): boolean {
  const query = `(min-width: ${LIMITS[what]}px)`;
  const [hasRoom, setRoom] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const update = (): void => setRoom(list.matches);
    list.addEventListener('change', update);
    return () => list.removeEventListener('change', update);
  }, []);
  return hasRoom;
}
