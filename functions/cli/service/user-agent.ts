import { VERSION } from '../../runtime/version.ts';

export const USER_AGENT = `cairn/${VERSION}`;
