const REGION = 'announcements';

/** Says it to those who listen to the page; the region is in the shell. */
export function announce(text: string): void {
  const region = document.getElementById(REGION);
  if (region && region.textContent !== text) region.textContent = text;
}

export const ANNOUNCEMENTS_ID = REGION;
