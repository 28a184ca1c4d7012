import { type Message, webhookBody } from '@cairn/shared/notifications/message';
import { messageOf } from '@cairn/shared/text/quote';
import { Agent, request } from 'undici';
import { checkUpstreamUrl, vettedLookup, webhookPolicy } from '../outbound/egress.ts';
import type { Webhook } from './store.ts';

export type WebhookTarget = Pick<Webhook, 'url' | 'format'>;

export type Posting = { readonly ok: true } | { readonly ok: false; readonly detail: string };

/** Returns failures as values, within the timeout. */
export type PostMessage = (target: WebhookTarget, message: Message, timeoutMs: number) => Promise<Posting>;

const CONNECT_MS = 3000;

/** Posts only to public addresses over HTTPS; a local run may also post to its own machine. */
export function postMessages(options: { readonly allowLoopbackHttp: boolean }): PostMessage {
  return async (target, message, timeoutMs) => {
    const policy = webhookPolicy(target.url, options);
    const verdict = checkUpstreamUrl(target.url, policy);
    if (!verdict.ok) return { ok: false, detail: verdict.detail };
    const agent = new Agent({
      connect: { lookup: vettedLookup(policy), timeout: CONNECT_MS },
      pipelining: 0,
    });
    try {
      const { statusCode, body } = await request(verdict.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'cairn' },
        body: JSON.stringify(webhookBody(target.format, message)),
        dispatcher: agent,
        signal: AbortSignal.timeout(timeoutMs),
      });
      // The response body is unused and may be endless.
      body.on('error', () => {}).destroy();
      if (statusCode >= 200 && statusCode < 300) return { ok: true };
      return { ok: false, detail: `it answered ${statusCode}` };
    } catch (error) {
      return { ok: false, detail: messageOf(error) };
    } finally {
      await agent.destroy();
    }
  };
}
