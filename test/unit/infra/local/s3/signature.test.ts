import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { decodeChunkedBody } from '../../../../../infra/local/s3/chunked-body.ts';
import { openPayload, readText } from '../../../../../infra/local/s3/payload.ts';
import { authorize, type ChunkSignatures, parseTarget } from '../../../../../infra/local/s3/signature.ts';

describe('signatures', () => {
  // The worked examples of the S3 documentation on Signature Version 4.
  const credentials = {
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    region: 'us-east-1',
  };
  const now = Date.parse('2013-05-24T00:00:00Z');
  const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  const scope = 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request';
  const authorization = (names: string, signature: string): string =>
    `AWS4-HMAC-SHA256 Credential=${scope},SignedHeaders=${names},Signature=${signature}`;
  const verify = (method: string, path: string, headers: Record<string, string>, at = now) =>
    authorize(
      {
        method,
        target: parseTarget(path),
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
      },
      credentials,
      at,
    );
  const rangeHeaders = {
    authorization: authorization(
      'host;range;x-amz-content-sha256;x-amz-date',
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    ),
    host: 'examplebucket.s3.amazonaws.com',
    range: 'bytes=0-9',
    'x-amz-content-sha256': emptyHash,
    'x-amz-date': '20130524T000000Z',
  };
  const presigned =
    '/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request' +
    '&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host' +
    '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404';
  const host = { host: 'examplebucket.s3.amazonaws.com' };
  const refusal = (code: string) => expect.objectContaining({ code });

  it('accepts a signed header', () => {
    expect(verify('GET', '/test.txt', rangeHeaders).payloadHash).toBe(emptyHash);
  });

  it('accepts a presigned URL until it expires', () => {
    expect(verify('GET', presigned, host).payloadHash).toBe('UNSIGNED-PAYLOAD');
    expect(() => verify('GET', presigned, host, now + 86_400_000)).not.toThrow();
    expect(() => verify('GET', presigned, host, now + 86_401_000)).toThrow(refusal('AccessDenied'));
    expect(() => verify('GET', presigned, host, now - 901_000)).toThrow(refusal('AccessDenied'));
  });

  it.each([
    ['another method', () => verify('DELETE', presigned, host), 'SignatureDoesNotMatch'],
    ['another path', () => verify('GET', presigned.replace('test', 'best'), host), 'SignatureDoesNotMatch'],
    ['another host', () => verify('GET', presigned, { host: 'elsewhere' }), 'SignatureDoesNotMatch'],
    ['one more parameter', () => verify('GET', `${presigned}&acl`, host), 'SignatureDoesNotMatch'],
    ['one more x-amz header', () => verify('GET', presigned, { ...host, 'x-amz-acl': 'a' }), 'AccessDenied'],
    [
      'a signature of another length',
      () => verify('GET', presigned.slice(0, -1), host),
      'SignatureDoesNotMatch',
    ],
    [
      'more than a week',
      () => verify('GET', presigned.replace('86400', '604801'), host),
      'AuthorizationQueryParametersError',
    ],
    [
      'another region',
      () => verify('GET', presigned.replace('us-east-1', 'us-east-2'), host),
      'AuthorizationQueryParametersError',
    ],
    [
      'a missing date',
      () => verify('GET', presigned.replace('X-Amz-Date', 'X-Amz-Day'), host),
      'AuthorizationQueryParametersError',
    ],
    ['another key', () => verify('GET', presigned.replace('AKIA', 'AKIB'), host), 'InvalidAccessKeyId'],
    ['a header beside the query', () => verify('GET', presigned, rangeHeaders), 'InvalidArgument'],
    ['no signature', () => verify('GET', '/test.txt', host), 'AccessDenied'],
    [
      'a changed header',
      () => verify('GET', '/test.txt', { ...rangeHeaders, range: 'bytes=0-8' }),
      'SignatureDoesNotMatch',
    ],
    ['an old date', () => verify('GET', '/test.txt', rangeHeaders, now + 901_000), 'RequestTimeTooSkewed'],
    [
      'another scheme',
      () => verify('GET', '/test.txt', { ...rangeHeaders, authorization: 'Basic YTpi' }),
      'AuthorizationHeaderMalformed',
    ],
  ])('refuses %s', (_, attempt, code) => {
    expect(attempt).toThrow(refusal(code));
  });

  describe('of chunks', () => {
    const upload = (seed: string, more: Record<string, string>): ChunkSignatures => {
      const headers: Record<string, string> = {
        'content-encoding': 'aws-chunked',
        host: 's3.amazonaws.com',
        'x-amz-date': '20130524T000000Z',
        'x-amz-decoded-content-length': '66560',
        'x-amz-storage-class': 'REDUCED_REDUNDANCY',
        ...more,
      };
      const names = Object.keys(headers).toSorted().join(';');
      return verify('PUT', '/examplebucket/chunkObject.txt', {
        ...headers,
        authorization: authorization(names, seed),
      }).chunks;
    };
    const plain = (): ChunkSignatures =>
      upload('4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9', {
        'content-length': '66824',
        'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
      });
    const plainSignatures = [
      'ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648',
      '0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497',
      'b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9',
    ] as const;
    const withTrailer = (): ChunkSignatures =>
      upload('106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e', {
        'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER',
        'x-amz-trailer': 'x-amz-checksum-crc32c',
      });
    const trailerSignatures = [
      'b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2',
      '1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7',
      '2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992',
    ] as const;
    const trailer = 'x-amz-checksum-crc32c:sOO8/Q==\r\n';
    const trailerSignature =
      'x-amz-trailer-signature:d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435\r\n';

    const framed = (signatures: readonly string[], end: string, letter = 'a'): string =>
      `10000;chunk-signature=${signatures[0]}\r\n${letter.repeat(65_536)}\r\n` +
      `400;chunk-signature=${signatures[1]}\r\n${'a'.repeat(1024)}\r\n` +
      `0;chunk-signature=${signatures[2]}\r\n${end}\r\n`;
    const decode = async (
      body: string,
      signatures: ChunkSignatures | null,
      pieceBytes = 1000,
    ): Promise<{ readonly text: string; readonly trailers: Map<string, string> }> => {
      async function* pieces(): AsyncGenerator<Uint8Array> {
        for (let at = 0; at < body.length; at += pieceBytes)
          yield Buffer.from(body.slice(at, at + pieceBytes));
      }
      const trailers = new Map<string, string>();
      let text = '';
      for await (const chunk of decodeChunkedBody(pieces(), signatures, trailers)) text += Buffer.from(chunk);
      return { text, trailers };
    };

    it('accepts signed chunks, and signed trailers', async () => {
      const body = 'a'.repeat(66_560);
      expect((await decode(framed(plainSignatures, ''), plain())).text).toBe(body);
      const end = `${trailer}${trailerSignature}`;
      const { text, trailers } = await decode(framed(trailerSignatures, end), withTrailer());
      expect(text).toBe(body);
      expect([...trailers]).toEqual([['x-amz-checksum-crc32c', 'sOO8/Q==']]);
    });

    it.each([
      ['a changed chunk', framed(plainSignatures, '', 'b'), plain],
      ['chunks in another order', framed(plainSignatures.toReversed(), ''), plain],
      ['an unsigned chunk', framed(plainSignatures, '').replace(/;chunk-signature=\w+/, ''), plain],
      ['an unsigned trailer', framed(trailerSignatures, trailer), withTrailer],
      [
        'a changed trailer',
        framed(trailerSignatures, `${trailer.replace('sOO8', 'sOO9')}${trailerSignature}`),
        withTrailer,
      ],
    ])('refuses %s', async (_, body, signatures) => {
      await expect(decode(body, signatures())).rejects.toMatchObject({ code: 'SignatureDoesNotMatch' });
    });

    it('reads a frame cut at any byte', async () => {
      for (let pieceBytes = 1; pieceBytes < 12; pieceBytes++) {
        const body = '5\r\nhello\r\n1\r\n!\r\n0\r\nx-amz-checksum-crc32:a:b\r\n\r\n';
        const { text, trailers } = await decode(body, null, pieceBytes);
        expect([text, trailers.get('x-amz-checksum-crc32')]).toEqual(['hello!', 'a:b']);
      }
    });

    it.each([
      ['5\r\nhel', 'IncompleteBody'],
      ['5\r\nhello\r\n', 'IncompleteBody'],
      ['5\r\nhello!\r\n0\r\n\r\n', 'InvalidRequest'],
      ['-1\r\n\r\n', 'InvalidRequest'],
      ['0\r\nno trailer\r\n\r\n', 'InvalidRequest'],
      ['0\r\n\r\nmore', 'InvalidRequest'],
      ['0'.repeat(10_000), 'InvalidRequest'],
    ])('refuses the frame %j', async (body, code) => {
      await expect(decode(body, null)).rejects.toMatchObject({ code });
    });

    it('compares the length of a body with the one that was announced', async () => {
      const read = (announced: string): Promise<string> =>
        readText(
          openPayload(
            Readable.from([Buffer.from('5\r\nhello\r\n0\r\n\r\n')]),
            { 'x-amz-decoded-content-length': announced },
            { payloadHash: 'STREAMING-UNSIGNED-PAYLOAD-TRAILER', chunks: plain() },
          ),
          100,
        );
      expect(await read('5')).toBe('hello');
      await expect(read('6')).rejects.toMatchObject({ code: 'IncompleteBody' });
    });
  });
});
