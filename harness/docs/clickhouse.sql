-- The samples of many runs in ClickHouse: one row a sample, as in samples.parquet. NULL is unknown.
-- A file that is inserted twice counts once, with FINAL.
CREATE TABLE samples
(
    run String,
    sequence Int32,
    kind LowCardinality(String),
    arm LowCardinality(String),
    storage LowCardinality(String),
    delay_ms Float64,
    profile LowCardinality(Nullable(String)),
    variant LowCardinality(Nullable(String)),
    workload LowCardinality(Nullable(String)),
    launch Int32,
    machine LowCardinality(Nullable(String)),
    pass Nullable(Int32),
    attempt Int32,
    taken_at DateTime64(3, 'UTC'),
    read_ms Float64,
    source LowCardinality(String),
    confidence LowCardinality(String),
    origin_requests Int32,
    device_reads Nullable(Int32),
    device_read_bytes Nullable(Int64),
    device_shared Nullable(Bool),
    body_bytes Int64,
    body_sha256 LowCardinality(Nullable(String)),
    sample_flags LowCardinality(String),
    run_started_at DateTime64(3, 'UTC'),
    chromium LowCardinality(String)
)
ENGINE = ReplacingMergeTree
ORDER BY (storage, delay_ms, arm, run, sequence);

-- Name of the file on the server, or a pattern: '*/samples.parquet'. Its path becomes the name of the run.
INSERT INTO samples SELECT _path AS run, * FROM file('samples.parquet', Parquet);

-- Medians by machine: the same values as the first ready query of query.md.
SELECT machine, arm, storage, delay_ms, count() AS reads, quantileExactInclusive(0.5)(read_ms) AS ms
FROM samples FINAL WHERE kind = 'timed' AND sample_flags = ''
GROUP BY machine, arm, storage, delay_ms ORDER BY machine, arm, storage, delay_ms;
