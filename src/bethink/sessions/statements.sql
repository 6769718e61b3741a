-- name: advance_known_session -> AdvancedRow
-- Give out the next places of a session that is there already; one that is not answers no row.
update sessions set head = head + :added, count = count + :added, revision = :revision, updated_at = :now
where tenant_id = :tenant and scope_id = :scope and name = :name
returning session_id, head, count;

-- name: advance_session -> AdvancedRow
-- Give out the next places of a session, and make the session where it is not there yet.
insert into sessions (tenant_id, scope_id, session_id, name, head, count, revision, distilled, metadata,
                      created_at, updated_at)
values (:tenant, :scope, :fresh, :name, :added, :added, :revision, 0, '{}', :now, :now)
on conflict (tenant_id, scope_id, name)
do update set head = sessions.head + :added, count = sessions.count + :added, revision = excluded.revision,
              updated_at = excluded.updated_at
returning session_id, head, count;

-- name: add_item (many)
-- Keep one entry of the log.
insert into items (tenant_id, scope_id, session_id, seq, body, at, speaker, origin, revision)
values (:tenant, :scope, :session, :seq, :body, :at, :speaker, :origin, :revision);

-- name: find_session -> SessionRow
-- Find a session by its name.
select session_id, name, title, head, count, revision, metadata, created_at, updated_at, distilled from sessions
where tenant_id = :tenant and scope_id = :scope and name = :name;

-- name: find_operation -> OperationRow
-- Find what an operation id did before.
select digest, revision, head, count from operations
where tenant_id = :tenant and scope_id = :scope and session_id = :session and operation = :operation;

-- name: add_operation
-- Remember what an operation id did.
insert into operations (tenant_id, scope_id, session_id, operation, digest, revision, head, count)
values (:tenant, :scope, :session, :operation, :digest, :revision, :head, :count);

-- name: newest_items -> ItemRow
-- Read the newest entries of a session below a place, newest first.
select seq, body, at, speaker, origin from items
where tenant_id = :tenant and scope_id = :scope and session_id = :session and seq < :below
order by seq desc limit :limit;

-- name: newest_bodies -> BodyRow
-- Read the newest entries of a session below a place, newest first, as JSON alone.
select body, seq from items
where tenant_id = :tenant and scope_id = :scope and session_id = :session and seq < :below
order by seq desc limit :limit;

-- name: all_bodies
-- Read a session whole, oldest first, as JSON alone.
select body from items
where tenant_id = :tenant and scope_id = :scope and session_id = :session
order by seq;

-- name: items_after -> ItemRow
-- Read the entries of a session after a place, oldest first.
select seq, body, at, speaker, origin from items
where tenant_id = :tenant and scope_id = :scope and session_id = :session and seq > :after
order by seq limit :limit;

-- name: find_items -> ItemRow
-- Read one entry of a session.
select seq, body, at, speaker, origin from items
where tenant_id = :tenant and scope_id = :scope and session_id = :session and seq = :seq;

-- name: items_among -> SessionItemRow
-- Read up to sixteen entries of any sessions; keys may be given more than once.
select session_id, seq, body, at, speaker, origin from items
where tenant_id = :tenant and scope_id = :scope and (session_id, seq) in (values
    (cast(:sa as bigint), cast(:qa as bigint)), (:sb, :qb), (:sc, :qc), (:sd, :qd),
    (:se, :qe), (:sf, :qf), (:sg, :qg), (:sh, :qh),
    (:si, :qi), (:sj, :qj), (:sk, :qk), (:sl, :ql),
    (:sm, :qm), (:sn, :qn), (:so, :qo), (:sp, :qp));

-- name: session_by_id
-- Find the name of a session by its number.
select name from sessions where tenant_id = :tenant and scope_id = :scope and session_id = :session;

-- name: remove_items
-- Remove the entries of a session from a place on.
delete from items
where tenant_id = :tenant and scope_id = :scope and session_id = :session and seq >= :first;

-- name: shrink_session -> ShrunkRow
-- Record that entries were removed; `head` stays, so that no place is given out twice.
update sessions set count = count - :removed, revision = :revision, updated_at = :now
where tenant_id = :tenant and scope_id = :scope and session_id = :session
returning head, count;

-- name: remove_operations
-- Forget the operation ids of a session.
delete from operations where tenant_id = :tenant and scope_id = :scope and session_id = :session;

-- name: remove_attempts
-- Forget the failed turns of a session.
delete from attempts where tenant_id = :tenant and scope_id = :scope and session_id = :session;

-- name: remove_session
-- Remove the row of a session.
delete from sessions where tenant_id = :tenant and scope_id = :scope and session_id = :session;

-- name: add_session
-- Make a session as a copy of another one's head.
insert into sessions (tenant_id, scope_id, session_id, name, title, head, count, revision, distilled, metadata,
                      created_at, updated_at)
values (:tenant, :scope, :session, :name, :title, :head, :count, :revision, :distilled, :metadata, :now, :now);

-- name: copy_items
-- Copy the entries of a session up to a place into another one.
insert into items (tenant_id, scope_id, session_id, seq, body, at, speaker, origin, revision)
select tenant_id, scope_id, :target, seq, body, at, speaker, origin, :revision from items
where tenant_id = :tenant and scope_id = :scope and session_id = :session and seq <= :last;

-- name: count_items -> ItemCountRow
-- Count the entries of a session up to a place.
select count(*) as items, coalesce(max(seq), 0) as last_seq from items
where tenant_id = :tenant and scope_id = :scope and session_id = :session and seq <= :last;

-- name: describe_session
-- Change the title or the metadata of a session.
update sessions set title = :title, metadata = :metadata, revision = :revision, updated_at = :now
where tenant_id = :tenant and scope_id = :scope and session_id = :session;

-- name: list_sessions -> ListedSessionRow
-- List the sessions of a scope, the one written last first.
select name, title, count, revision, created_at, updated_at, metadata, session_id from sessions
where tenant_id = :tenant and scope_id = :scope
  and (revision < :revision or (revision = :revision and session_id < :session))
order by revision desc, session_id desc limit :limit;

-- name: count_sessions
-- Count the sessions of a scope.
select count(*) from sessions where tenant_id = :tenant and scope_id = :scope;

-- name: sessions_since -> ChangedSessionRow
-- List the sessions written after a revision.
select session_id, name, head, revision from sessions
where tenant_id = :tenant and scope_id = :scope and revision > :since
order by revision, session_id;

-- name: add_attempt
-- Remember that a turn failed, without what was said in it.
insert into attempts (tenant_id, scope_id, session_id, attempt_id, at, error, calls)
values (:tenant, :scope, :session, :attempt, :now, :error, :calls);

-- name: list_attempts -> AttemptRow
-- List the failed turns of a session, newest first.
select attempt_id, at, error, calls from attempts
where tenant_id = :tenant and scope_id = :scope and session_id = :session
order by attempt_id desc limit :limit;

-- name: add_usage
-- Note what a run took, beside the entries that it is about.
insert into turn_usage (tenant_id, scope_id, session_id, usage_id, first_seq, last_seq, at, requests, tokens_in,
                        tokens_out, tokens_cached, tokens_reasoning)
values (:tenant, :scope, :session, :usage, :first, :last, :now, :requests, :tokens_in, :tokens_out, :tokens_cached,
        :tokens_reasoning);

-- name: list_usage -> UsageRow
-- List what the runs of a session took, oldest first.
select first_seq, last_seq, at, requests, tokens_in, tokens_out, tokens_cached, tokens_reasoning from turn_usage
where tenant_id = :tenant and scope_id = :scope and session_id = :session
order by usage_id;

-- name: last_usage
-- Find the place up to which usage was noted.
select coalesce(max(last_seq), 0) from turn_usage
where tenant_id = :tenant and scope_id = :scope and session_id = :session;

-- name: remove_usage
-- Forget what the runs of a session took.
delete from turn_usage where tenant_id = :tenant and scope_id = :scope and session_id = :session;

-- name: add_summary
-- Keep what stands for a part of a log where it is read compacted.
insert into summaries (tenant_id, scope_id, session_id, summary_id, first_seq, last_seq, items, engine, at, revision)
values (:tenant, :scope, :session, :summary, :first, :last, :items, :engine, :now, :revision);

-- name: newest_summary -> SummaryRow
-- Find the summary that stands for the most of a log.
select first_seq, last_seq, items, engine, at, summary_id from summaries
where tenant_id = :tenant and scope_id = :scope and session_id = :session
order by last_seq desc, summary_id desc limit 1;

-- name: list_summaries -> SummaryRow
-- List the summaries of a session, oldest first.
select first_seq, last_seq, items, engine, at, summary_id from summaries
where tenant_id = :tenant and scope_id = :scope and session_id = :session
order by last_seq, summary_id;

-- name: remove_summaries
-- Forget the summaries that speak of entries from a place on.
delete from summaries
where tenant_id = :tenant and scope_id = :scope and session_id = :session and last_seq >= :first;

-- name: copy_summaries
-- Copy the summaries of a session up to a place into another one.
insert into summaries (tenant_id, scope_id, session_id, summary_id, first_seq, last_seq, items, engine, at, revision)
select tenant_id, scope_id, :target, summary_id, first_seq, last_seq, items, engine, at, :revision from summaries
where tenant_id = :tenant and scope_id = :scope and session_id = :session and last_seq <= :last;

-- name: known_keys -> KeyRow
-- List the caller's ids of a session's items.
select key, seq from item_keys
where tenant_id = :tenant and scope_id = :scope and session_id = :session order by seq, key;

-- name: keys_among -> KeyRow
-- Find which of up to sixteen of the caller's ids are known in a session; ids may be given more than once.
select key, seq from item_keys
where tenant_id = :tenant and scope_id = :scope and session_id = :session
  and key in (:a, :b, :c, :d, :e, :f, :g, :h, :i, :j, :k, :l, :m, :n, :o, :p);

-- name: add_key (many)
-- Remember the caller's id of an item.
insert into item_keys (tenant_id, scope_id, session_id, key, seq)
values (:tenant, :scope, :session, :key, :seq);

-- name: bring_key (many)
-- Remember an id that another store knows.
insert into item_keys (tenant_id, scope_id, session_id, key, seq)
values (:tenant, :scope, :session, :key, :seq)
on conflict (tenant_id, scope_id, session_id, key) do nothing;

-- name: copy_keys
-- Let a copy of a session know the ids of the items that it was given.
insert into item_keys (tenant_id, scope_id, session_id, key, seq)
select tenant_id, scope_id, :target, key, seq from item_keys
where tenant_id = :tenant and scope_id = :scope and session_id = :session and seq <= :last;

-- name: remove_keys
-- Forget the caller's ids of a session.
delete from item_keys where tenant_id = :tenant and scope_id = :scope and session_id = :session;

-- name: replace_item
-- Put another entry in the place of one.
update items set body = :body, at = :at, speaker = :speaker, revision = :revision
where tenant_id = :tenant and scope_id = :scope and session_id = :session and seq = :seq;

-- name: add_version
-- Keep what an entry was before it was replaced.
insert into item_versions (tenant_id, scope_id, session_id, seq, revision, body, at, speaker, origin, replaced_at)
select tenant_id, scope_id, session_id, seq, revision, body, at, speaker, origin, :now from items
where tenant_id = :tenant and scope_id = :scope and session_id = :session and seq = :seq;

-- name: list_versions -> VersionRow
-- List what an entry was before, oldest first.
select seq, body, at, speaker, origin, revision, replaced_at from item_versions
where tenant_id = :tenant and scope_id = :scope and session_id = :session and seq = :seq
order by revision;

-- name: all_versions -> AnyVersionRow
-- List what every entry of a session was before, oldest first.
select seq, body, at, speaker, origin, replaced_at from item_versions
where tenant_id = :tenant and scope_id = :scope and session_id = :session
order by seq, revision;

-- name: bring_version (many)
-- Keep what an entry was before, as another store has it.
insert into item_versions (tenant_id, scope_id, session_id, seq, revision, body, at, speaker, origin, replaced_at)
values (:tenant, :scope, :session, :seq, :revision, :body, :at, :speaker, :origin, :replaced_at)
on conflict (tenant_id, scope_id, session_id, seq, revision) do nothing;

-- name: bring_branch
-- Remember which session another one was forked from, as another store has it.
insert into session_details (tenant_id, scope_id, session_id, parent_id, forked_seq, ttl)
values (:tenant, :scope, :session, :parent, :seq, null)
on conflict (tenant_id, scope_id, session_id) do nothing;

-- name: remove_versions
-- Forget what entries were before, from a place on.
delete from item_versions
where tenant_id = :tenant and scope_id = :scope and session_id = :session and seq >= :first;

-- name: mark_session
-- Record that a session was written, so that whoever holds it reads it again.
update sessions set revision = :revision, updated_at = :now
where tenant_id = :tenant and scope_id = :scope and session_id = :session;

-- name: add_branch
-- Remember which session another one was forked from, and where; its items are kept for as long.
insert into session_details (tenant_id, scope_id, session_id, parent_id, forked_seq, ttl)
values (:tenant, :scope, :session, :parent, :seq, :ttl);

-- name: list_branches -> BranchRow
-- List the numbers of the sessions that were forked from one, the newest first.
select session_id, forked_seq from session_details
where tenant_id = :tenant and scope_id = :scope and parent_id = :session
order by session_id desc;

-- name: find_details -> DetailsRow
-- Find where a session was forked from, and for how long its items are kept.
select parent_id, forked_seq, ttl from session_details
where tenant_id = :tenant and scope_id = :scope and session_id = :session;

-- name: put_ttl
-- Say for how long the items of a session are kept.
insert into session_details (tenant_id, scope_id, session_id, parent_id, forked_seq, ttl)
values (:tenant, :scope, :session, null, null, :ttl)
on conflict (tenant_id, scope_id, session_id) do update set ttl = excluded.ttl;

-- name: bring_ttl
-- Say for how long the items of a session are kept, where that is not said yet.
insert into session_details (tenant_id, scope_id, session_id, parent_id, forked_seq, ttl)
values (:tenant, :scope, :session, null, null, :ttl)
on conflict (tenant_id, scope_id, session_id) do update set ttl = coalesce(session_details.ttl, excluded.ttl);

-- name: list_ttls -> LifetimeRow
-- List the sessions of a scope whose items are kept for a time.
-- column: ttl int
select details.session_id, sessions.name, details.ttl, sessions.created_at
from session_details as details
join sessions on sessions.tenant_id = details.tenant_id and sessions.scope_id = details.scope_id
  and sessions.session_id = details.session_id
where details.tenant_id = :tenant and details.scope_id = :scope and sessions.tenant_id = :tenant
  and sessions.scope_id = :scope and details.ttl is not null
order by details.session_id;

-- name: earliest_item
-- Find when the oldest entry of a session was said.
-- param: created int
-- column: at int | None
select min(coalesce(at, :created)) as at from items
where tenant_id = :tenant and scope_id = :scope and session_id = :session;

-- name: earliest_version
-- Find when the oldest was said of what entries of a session were before they were replaced.
-- param: created int
-- column: at int | None
select min(coalesce(at, :created)) as at from item_versions
where tenant_id = :tenant and scope_id = :scope and session_id = :session;

-- name: overdue_items
-- List the places of the entries of a session that were said before an instant.
-- param: created int
-- param: before int
select seq from items
where tenant_id = :tenant and scope_id = :scope and session_id = :session and coalesce(at, :created) <= :before
order by seq;

-- name: remove_overdue
-- Remove the entries of a session that were said before an instant.
-- param: created int
-- param: before int
delete from items
where tenant_id = :tenant and scope_id = :scope and session_id = :session and coalesce(at, :created) <= :before;

-- name: remove_overdue_versions
-- Forget what entries were that was said before an instant.
-- param: created int
-- param: before int
delete from item_versions
where tenant_id = :tenant and scope_id = :scope and session_id = :session and coalesce(at, :created) <= :before;

-- name: remove_orphaned_versions
-- Forget what entries were that are gone.
delete from item_versions
where tenant_id = :tenant and scope_id = :scope and session_id = :session and not exists (
  select 1 from items where items.tenant_id = :tenant and items.scope_id = :scope and items.session_id = :session
    and items.seq = item_versions.seq);

-- name: remove_summaries_from
-- Forget the summaries that speak of entries up to a place.
delete from summaries
where tenant_id = :tenant and scope_id = :scope and session_id = :session and first_seq <= :last;

-- name: remove_details
-- Forget where a session was forked from, and for how long its items are kept.
delete from session_details where tenant_id = :tenant and scope_id = :scope and session_id = :session;

-- name: mark_distilled
-- Record up to where a session was distilled, if nobody did so since it was read.
update sessions set distilled = :seq
where tenant_id = :tenant and scope_id = :scope and session_id = :session and distilled = :before
returning 1;

-- name: undistilled -> UndistilledRow
-- List the sessions that hold more than was distilled.
select session_id, name, head, distilled from sessions
where tenant_id = :tenant and scope_id = :scope and head > distilled
order by session_id;

-- name: distilled_session -> UndistilledRow
-- Find a session by its name, with how far it was distilled.
select session_id, name, head, distilled from sessions
where tenant_id = :tenant and scope_id = :scope and name = :name;

-- name: left_sessions
-- List the sessions that hold items that were not distilled.
select name from sessions
where tenant_id = :tenant and scope_id = :scope and head > distilled
  and exists (
    select 1 from items
    where items.tenant_id = :tenant and items.scope_id = :scope
      and items.session_id = sessions.session_id and items.seq > sessions.distilled
  )
order by session_id;

-- name: busy_sessions
-- List the sessions that were written after an instant.
select name from sessions where tenant_id = :tenant and scope_id = :scope and updated_at > :since;

-- name: bring_session
-- Keep a session as another store has it.
insert into sessions (tenant_id, scope_id, session_id, name, title, head, count, revision, distilled, metadata,
                      created_at, updated_at)
values (:tenant, :scope, :session, :name, :title, :head, :count, :revision, :distilled, :metadata, :created_at,
        :updated_at);

-- name: extend_session
-- Let a session go on as another store has it.
update sessions set head = :head, count = count + :added, revision = :revision, updated_at = :now
where tenant_id = :tenant and scope_id = :scope and session_id = :session;

-- name: operations_of -> KnownOperationRow
-- Read the ids by which repeated appends to a session are recognised.
select operation, digest, head, count from operations
where tenant_id = :tenant and scope_id = :scope and session_id = :session order by operation;

-- name: bring_operation (many)
-- Recognise an append that another store took.
insert into operations (tenant_id, scope_id, session_id, operation, digest, revision, head, count)
values (:tenant, :scope, :session, :operation, :digest, :revision, :head, :count)
on conflict (tenant_id, scope_id, session_id, operation) do nothing;

-- name: erase_versions_of_item -> ErasedVersionRow
-- Destroy what one item was before.
delete from item_versions
where tenant_id = :tenant and scope_id = :scope and session_id = :session and seq = :seq returning body, speaker;
