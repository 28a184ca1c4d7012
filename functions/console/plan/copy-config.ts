/** Of the button that copies the ImageSetConfiguration. */
export const CONFIG_ID = 'copy-config';

/** What `c` does. */
export function pressCopyConfig(): void {
  document.getElementById(CONFIG_ID)?.click();
}
