-- name: add_note (one, many)
-- Keep a new note.
insert into notes (tenant_id, scope_id, note_id, key, text, category, keywords, session, status, outcome, source,
                   sources, confidence, created_at, updated_at, valid_from, valid_to, expires_at, revision, metadata,
                   context, speaker)
values (:tenant, :scope, :note, :key, :text, :category, :keywords, :session, :status, :outcome, :source,
        :sources, :confidence, :created_at, :updated_at, :valid_from, :valid_to, :expires_at, :revision, :metadata,
        :context, :speaker);

-- name: put_note
-- Put another version in the place of a note; the earlier one is in the history by then.
update notes set key = :key, text = :text, category = :category, keywords = :keywords, session = :session,
  status = :status, outcome = :outcome, source = :source, sources = :sources, confidence = :confidence,
  created_at = :created_at, updated_at = :updated_at, valid_from = :valid_from, valid_to = :valid_to,
  expires_at = :expires_at, revision = :revision, metadata = :metadata,
  context = :context, speaker = :speaker
where tenant_id = :tenant and scope_id = :scope and note_id = :note;

-- name: find_note -> NoteRow
-- Find a note by its number.
select note_id, key, text, category, keywords, session, status, outcome, source, sources, confidence, created_at,
       updated_at, valid_from, valid_to, expires_at, revision, metadata, context, speaker
from notes
where tenant_id = :tenant and scope_id = :scope and note_id = :note /* for update */;

-- name: notes_among -> NoteRow
-- Read up to sixteen notes by their numbers, which may be given more than once.
select note_id, key, text, category, keywords, session, status, outcome, source, sources, confidence, created_at,
       updated_at, valid_from, valid_to, expires_at, revision, metadata, context, speaker
from notes
where tenant_id = :tenant and scope_id = :scope and note_id in (
  :na, :nb, :nc, :nd, :ne, :nf, :ng, :nh,
  :ni, :nj, :nk, :nl, :nm, :nn, :no, :np);

-- name: find_note_by_key -> NoteRow
-- Find the live note that has a key.
select note_id, key, text, category, keywords, session, status, outcome, source, sources, confidence, created_at,
       updated_at, valid_from, valid_to, expires_at, revision, metadata, context, speaker
from notes
where tenant_id = :tenant and scope_id = :scope and key = :key and status in ('active', 'quarantined') /* for update */;

-- name: newest_note_by_key -> NoteRow
-- Find the note that had a key last, whatever became of it.
select note_id, key, text, category, keywords, session, status, outcome, source, sources, confidence, created_at,
       updated_at, valid_from, valid_to, expires_at, revision, metadata, context, speaker
from notes
where tenant_id = :tenant and scope_id = :scope and key = :key
order by revision desc, note_id desc limit 1;

-- name: list_notes -> NoteRow
-- List the notes of a scope, the one written last first; an absent condition holds for all.
select note_id, key, text, category, keywords, session, status, outcome, source, sources, confidence, created_at,
       updated_at, valid_from, valid_to, expires_at, revision, metadata, context, speaker
from notes
where tenant_id = :tenant and scope_id = :scope
  and (cast(:status as text) is null or status = :status)
  and (cast(:category as text) is null or category = :category)
  and ((cast(:session as text) is null and (session is null or :everywhere = 1)) or session = :session)
  and (expires_at is null or expires_at > :now or status <> 'active')
  and (revision < :revision or (revision = :revision and note_id < :note))
order by revision desc, note_id desc limit :limit;

-- name: count_notes
-- Count what `list_notes` lists.
select count(*) from notes
where tenant_id = :tenant and scope_id = :scope
  and (cast(:status as text) is null or status = :status)
  and (cast(:category as text) is null or category = :category)
  and ((cast(:session as text) is null and (session is null or :everywhere = 1)) or session = :session)
  and (expires_at is null or expires_at > :now or status <> 'active');

-- name: list_standing -> NoteRow
-- List the notes that are now as they were at an instant, the one written last first; an absent condition holds for all.
select note_id, key, text, category, keywords, session, status, outcome, source, sources, confidence, created_at,
       updated_at, valid_from, valid_to, expires_at, revision, metadata, context, speaker
from notes
where tenant_id = :tenant and scope_id = :scope and status = 'active' and created_at <= :at
  and (cast(:category as text) is null or category = :category)
  and ((cast(:session as text) is null and session is null) or session = :session)
  and (expires_at is null or expires_at > :at)
  and (revision < :revision or (revision = :revision and note_id < :note))
  and note_id not in (
    select note_id from note_history where tenant_id = :tenant and scope_id = :scope and ended_at > :at)
order by revision desc, note_id desc limit :limit;

-- name: count_standing
-- Count what `list_standing` lists.
select count(*) from notes
where tenant_id = :tenant and scope_id = :scope and status = 'active' and created_at <= :at
  and (cast(:category as text) is null or category = :category)
  and ((cast(:session as text) is null and session is null) or session = :session)
  and (expires_at is null or expires_at > :at)
  and note_id not in (
    select note_id from note_history where tenant_id = :tenant and scope_id = :scope and ended_at > :at);

-- name: list_waiting -> NoteRow
-- List the notes of a scope and its sessions that wait for a decision, the one written last first.
select note_id, key, text, category, keywords, session, status, outcome, source, sources, confidence, created_at,
       updated_at, valid_from, valid_to, expires_at, revision, metadata, context, speaker
from notes
where tenant_id = :tenant and scope_id = :scope
  and status in ('pending', 'quarantined') and (cast(:status as text) is null or status = :status)
  and (revision < :revision or (revision = :revision and note_id < :note))
order by revision desc, note_id desc limit :limit;

-- name: count_waiting
-- Count what `list_waiting` lists.
select count(*) from notes
where tenant_id = :tenant and scope_id = :scope
  and status in ('pending', 'quarantined') and (cast(:status as text) is null or status = :status);

-- name: notes_since -> NoteRow
-- List the notes written after a revision, whatever their status.
select note_id, key, text, category, keywords, session, status, outcome, source, sources, confidence, created_at,
       updated_at, valid_from, valid_to, expires_at, revision, metadata, context, speaker
from notes
where tenant_id = :tenant and scope_id = :scope and revision > :since
order by revision, note_id;

-- name: add_history (one, many)
-- Keep the version of a note that is about to end.
insert into note_history (tenant_id, scope_id, note_id, revision, ended_at, ended_by, note)
values (:tenant, :scope, :note, :revision, :now, :reason, :version);

-- name: list_history -> VersionRow
-- List the ended versions of a note, oldest first.
select note_id, revision, ended_at, ended_by, note from note_history
where tenant_id = :tenant and scope_id = :scope and note_id = :note
order by revision;

-- name: history_at -> VersionRow
-- List the versions that were current at an instant and have ended since.
select note_id, revision, ended_at, ended_by, note from note_history
where tenant_id = :tenant and scope_id = :scope and ended_at > :at
order by note_id, revision;

-- name: all_history -> VersionRow
-- List every ended version of a scope.
select note_id, revision, ended_at, ended_by, note from note_history
where tenant_id = :tenant and scope_id = :scope
order by note_id, revision;

-- name: remove_history_version
-- Take the newest ended version of a note out of the history, when a change is undone.
delete from note_history
where tenant_id = :tenant and scope_id = :scope and note_id = :note and revision = :revision;

-- name: remove_note
-- Remove the row of a note.
delete from notes where tenant_id = :tenant and scope_id = :scope and note_id = :note;

-- name: remove_note_history
-- Remove every ended version of a note.
delete from note_history where tenant_id = :tenant and scope_id = :scope and note_id = :note;

-- name: notes_after -> NoteRow
-- Read the notes written after a place in the order of revisions, whatever their status, some at a time.
select note_id, key, text, category, keywords, session, status, outcome, source, sources, confidence, created_at,
       updated_at, valid_from, valid_to, expires_at, revision, metadata, context, speaker
from notes
where tenant_id = :tenant and scope_id = :scope
  and (revision > :revision or (revision = :revision and note_id > :note))
order by revision, note_id limit :limit;

-- name: list_marks -> MarkRow
-- List what filters ask of notes, where it is not the usual.
select note_id, category, expires_at, metadata from notes
where tenant_id = :tenant and scope_id = :scope
  and (category <> 'core' or expires_at is not null or metadata <> '{}');

-- name: open_sessions
-- List the sessions whose notes wait for consolidation; those whose metadata are like `stays` do not.
-- param: stays str
-- column: session str
select distinct session from notes
where tenant_id = :tenant and scope_id = :scope and status = 'active' and session is not null
  and (outcome is null or outcome = 'approved') and metadata not like :stays
order by session;

-- name: any_over
-- Find a global note that is over: by the instant it was given, or by the age of its category.
select note_id from notes
where tenant_id = :tenant and scope_id = :scope and status = 'active' and session is null
  and (expires_at <= :now or (category = :category and coalesce(valid_from, updated_at) < :before))
order by note_id limit 1;
